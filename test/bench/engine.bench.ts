// The machinery between the model and the tools: what a call costs, what it leaves behind, and how a long session fares.
import { measureChecks } from './engine/checks';
import { measureMemory } from './engine/memory';
import { measurePipeline } from './engine/pipeline';
import { measureShortening } from './engine/shortening';
import { measureTurns } from './engine/turns';
import type { Figure } from './measure';

export async function run(): Promise<readonly Figure[]> {
  return [
    ...(await measurePipeline()),
    ...(await measureChecks()),
    ...(await measureShortening()),
    ...(await measureTurns()),
    ...(await measureMemory()),
  ];
}

// A result of 100 MB: cutting it to its two ends, and the whole call with it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { excerptOf } from '../../../src/core/output/excerpt';
import { resultLimits } from '../../../src/core/output/limits';
import { shorten } from '../../../src/core/output/shorten';
import { runToolCall } from '../../../src/core/tool/orchestrator';
import type { Tool } from '../../../src/core/tool/tool';
import { withTurn } from '../../unit/core/tool/turn';
import { fastest, figure, type Figure } from '../measure';
import { callAt, noop } from './session';

const LINE = 'src/core/tool/orchestrator.ts:42: a line of an output that is much too long for a conversation\n';
const TEXT_CHARS = 100 * 1000 ** 2;
const TRIES = 5;

export async function measureShortening(): Promise<Figure[]> {
  const text = Buffer.from(LINE.repeat(TEXT_CHARS / LINE.length)).toString('latin1');
  const figures: Figure[] = [];
  await withTurn([bigTool(text)], { mode: 'ask' }, async ({ turn, root }) => {
    const limits = resultLimits(noop, turn.host.settings);
    const onePass = await fastest(TRIES, () => lookThrough(text));
    const shortened = await fastest(TRIES, () => shorten(excerptOf(text), limits, 'toolu_1'));
    const bytes = Buffer.from(text);
    const written = await fastest(2, () => writeFile(join(root, 'big.txt'), bytes));
    const called = await fastest(
      2,
      (() => {
        let at = 0;
        return () => runToolCall(callAt(noop, ++at), turn);
      })(),
    );
    figures.push(
      figure('shortening 100 MB', 'ms', shortened, { name: 'one pass over it', value: onePass }),
      { name: 'shortening 100 MB, beyond one pass', unit: 'ms', value: Math.max(0, shortened - onePass) },
      figure('whole call with a result of 100 MB', 'ms', called, { name: 'writing it to a file', value: written }),
    );
  });
  return figures;
}

function bigTool(text: string): Tool {
  return { ...noop, run: async () => ({ text }) };
}

/** As fast as one can look at each character: for one that is not there. */
function lookThrough(text: string): number {
  return text.indexOf('\0');
}

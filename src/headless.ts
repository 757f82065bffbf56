// Composition root without an editor: one prompt through the real loop and the real tools on plain Node.
import type { TurnEnd } from './common/events';
import { runPrompt as runPromptIn, type PromptRun } from './core/session/runPrompt';
import { unattended } from './node/asker';
import { createNodeHost } from './node/host';
import { programStarter } from './node/program';
import { TOOLS } from './tools';

export interface HeadlessRun extends PromptRun {
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** Absolute path of the folder for sessions and outputs, outside the workspace. */
  readonly storeDir: string;
  /** As in a workspace that nobody trusts: it is only read and searched. */
  readonly untrusted?: true;
}

/** Nobody is there to be asked: what the mode does not allow is denied. Never rejects for what the model or a tool does. */
export function runPrompt({ workspace, storeDir, untrusted, ...run }: HeadlessRun): Promise<TurnEnd> {
  const host = createNodeHost({ roots: [workspace], storeDir, isTrusted: () => untrusted !== true });
  return runPromptIn(run, {
    host,
    tools: TOOLS,
    asker: unattended,
    start: programStarter({ roots: () => host.roots() }),
  });
}

// Around a run that executes something: the files before it are compared with those after it, and what it changed is kept and told.
import { tellable } from '../access/hidden';
import { pathInRoots } from '../files/naming';
import type { Path } from '../host';
import type { Target } from '../permission/types';
import type { RunOf } from '../tool/run';
import type { ToolContext } from '../tool/tool';
import type { TurnTools } from '../tool/turnTools';
import type { SnapshotChange } from './types';

export interface WatchedCommand {
  goesOn(): void;
  /** Answers what the model should know. */
  ended(): Promise<readonly string[]>;
}

/** Undefined where the run executes nothing that may change files, or where nobody wants to know. */
export async function watchCommand(
  { tool, input, call, title }: RunOf,
  targets: readonly Target[],
  ctx: ToolContext,
  turn: TurnTools,
  signal: AbortSignal,
): Promise<WatchedCommand | undefined> {
  const { host, recorder } = turn;
  const isWanted = host.settings.get('checkpoints.enabled') && host.settings.get('checkpoints.commands');
  if (!isWanted || tool.readOnly(input) || !targets.some(({ op }) => op === 'execute')) return undefined;
  const roots = host.roots().map(({ path }) => path);
  const snapshot = await host.snapshots.take(roots, signal);
  if (signal.aborted) {
    await snapshot.changes(signal);
    return undefined;
  }
  recorder.tellUnseen(snapshot.unseen);
  return {
    goesOn: () => snapshot.goesOn(),
    async ended() {
      // Stop has ended the run, not what it did.
      const changes = await snapshot.changes(new AbortController().signal);
      await recorder.note({ call: call.id, title }, changes);
      return knownTo(ctx, changes);
    },
  };
}

const NAMED_FILES = 5;

/** One line, only where the model has read what is different now. */
async function knownTo({ host, reads }: ToolContext, changes: readonly SnapshotChange[]): Promise<readonly string[]> {
  const known: Path[] = [];
  for (const { path, change } of changes) {
    if (change !== 'created' && reads.get(await host.files.realPath(path))) known.push(path);
  }
  // What was read may have been hidden since.
  const read = (await tellable(known, host)).map((path) => pathInRoots(path, host));
  if (read.length === 0) return [];
  const more = read.length - NAMED_FILES;
  const names = [...read.slice(0, NAMED_FILES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [`Files that you have read are different now: ${names}.`];
}

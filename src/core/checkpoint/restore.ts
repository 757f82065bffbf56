// A session's checkpoints: files are put back to what they were before a prompt, all or nothing, and that can be taken back too.
import { tellable } from '../access/hidden';
import { messageOf } from '../../common/errors';
import type { ChangedFile, FileState } from '../../common/changes';
import type { EventBody } from '../../common/events';
import type { FileChange, Host, Path } from '../host';
import { decodeUtf8 } from '../output/text';
import { inBatches } from './batches';
import type { Contents } from './contents';
import type { Ledger, Wanted } from './ledger';
import type { Recorder } from './recorder';
import { lookAt } from './state';
import { survey, type Surveyed } from './survey';
import type { Checkpoints, RestoreOutcome } from './types';

export interface CheckpointParts {
  readonly host: Pick<Host, 'files' | 'edits' | 'settings' | 'platform' | 'ids' | 'roots'>;
  readonly ledger: Ledger;
  readonly contents: Contents;
  readonly recorder: Recorder;
  /** A turn runs. */
  readonly isBusy: () => boolean;
  emit(event: EventBody): void;
}

interface Restore {
  readonly to: string;
  readonly undoes?: number;
  readonly label: string;
  readonly include: readonly Path[];
  readonly leave?: readonly Path[];
}

const BUSY = 'Files cannot be put back while a turn runs. Stop it first.';
const NOTHING_TO_UNDO = 'There is no restore to take back.';

export function createCheckpoints(parts: CheckpointParts): Checkpoints {
  const { ledger, recorder, host, contents } = parts;
  const look = (wanted: readonly Wanted[]) => survey(wanted, host, contents);
  return {
    list: () => ledger.list(),
    async preview(turn) {
      const surveyed = await look(ledger.since(turn) ?? []);
      return { turn, files: surveyed.map(({ file }) => file) };
    },
    async restore(to, include, leave) {
      if (parts.isBusy()) return refuse(BUSY);
      return recorder.inTurn(async () => {
        const wanted = ledger.since(to);
        if (!wanted) return refuse('That prompt is not one of this session.');
        return putBack(await look(wanted), { to, include, ...(leave && { leave }), label: 'Restore files' }, parts);
      });
    },
    async undo(include) {
      if (parts.isBusy()) return refuse(BUSY);
      return recorder.inTurn(() => undoLatest(include, parts));
    },
    get canUndo() {
      return ledger.undoable().length > 0;
    },
  };
}

function refuse(reason: string): RestoreOutcome {
  return { ok: false, reason };
}

/** What has been left of a restore, where anything of it can be taken back; else of the one before it. */
async function undoLatest(include: readonly Path[], parts: CheckpointParts): Promise<RestoreOutcome> {
  let kept: readonly Surveyed[] = [];
  for (const { seq, to, wanted } of parts.ledger.undoable()) {
    const surveyed = await survey(wanted, parts.host, parts.contents);
    if (surveyed.some((one) => isChosen(one, { include }))) {
      return putBack(surveyed, { to, undoes: seq, include, label: 'Undo restore' }, parts);
    }
    if (kept.length === 0) kept = surveyed.filter(({ file }) => file.state === 'changed');
  }
  if (kept.length > 0) return { ok: true, files: [], kept: kept.map(({ file }) => file) };
  return refuse(NOTHING_TO_UNDO);
}

async function putBack(
  surveyed: readonly Surveyed[],
  restore: Restore,
  parts: CheckpointParts,
): Promise<RestoreOutcome> {
  const { host } = parts;
  const { to, undoes, label } = restore;
  const chosen = surveyed.filter((one) => isChosen(one, restore));
  const kept = surveyed.filter((one) => !chosen.includes(one) && one.file.state !== 'same').map(({ file }) => file);
  if (chosen.length === 0) return { ok: true, files: [], kept };
  const fault = await keepPresent(chosen, parts.contents);
  if (fault !== undefined) return refuse(`${fault} Nothing was changed.`);
  const outcome = await host.edits.apply({ label, call: host.ids.next('restore'), changes: changesOf(chosen) });
  if (!outcome.ok) return refuse(outcome.reason);
  const files = await inBatches(chosen, async (one) => changedFile(one, (await lookAt(one.wanted.path, host)).state));
  const untold = await hiddenOf(files, host);
  const more = { ...(undoes === undefined ? {} : { undoes }), ...(untold.length > 0 ? { untold } : {}) };
  parts.emit({ type: 'files/restored', to, ...more, files });
  return { ok: true, files, kept };
}

async function hiddenOf(files: readonly ChangedFile[], host: CheckpointParts['host']): Promise<readonly string[]> {
  const named = files.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));
  const told = await tellable(named, host);
  return files.flatMap(({ path, to = path }) => (told.includes(path) && told.includes(to) ? [] : [path]));
}

function isChosen({ file }: Surveyed, { include, leave = [] }: Pick<Restore, 'include' | 'leave'>): boolean {
  if (file.state === 'ready') return !leave.includes(file.path);
  return file.state === 'changed' && include.includes(file.path);
}

/** A restore is a checkpoint itself: unlike an edit it does not go on where it could not be taken back. */
async function keepPresent(chosen: readonly Surveyed[], contents: Contents): Promise<string | undefined> {
  try {
    await inBatches(
      chosen.flatMap(({ look }) => [...look.contents]),
      ([name, bytes]) => contents.keep(name, bytes),
    );
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** One change a file. What was moved away unchanged is moved back; everything else is put there, or removed. */
function changesOf(chosen: readonly Surveyed[]): FileChange[] {
  const moved = new Set<Surveyed>();
  const changes = chosen.flatMap((one): FileChange[] => {
    const { path, real, target } = one.wanted;
    if (!target) return [];
    const origin =
      one.version === undefined ? chosen.find((other) => !moved.has(other) && isMovable(other, one)) : undefined;
    if (origin?.version !== undefined) {
      moved.add(origin);
      const { entry, wanted, version: baseVersion } = origin;
      return [{ kind: 'move', path: entry, real: wanted.real, to: path, toReal: real, baseVersion }];
    }
    return [{ kind: 'put', path, real, ...contentOf(one, target) }];
  });
  const removals = chosen.flatMap((one): FileChange[] => {
    const { entry, version: baseVersion, wanted } = one;
    if (wanted.target || moved.has(one) || baseVersion === undefined) return [];
    return [{ kind: 'delete', path: entry, real: wanted.real, baseVersion }];
  });
  return [...changes, ...removals];
}

/** `from` is to go, and holds exactly what is to be at the other's place. */
function isMovable(from: Surveyed, to: Surveyed): boolean {
  const { target } = to.wanted;
  const now = from.look.state;
  if (from.wanted.target || !now || !target?.bytes) return false;
  return (
    now.bytes === target.bytes && now.unsaved === undefined && target.unsaved === undefined && now.mode === target.mode
  );
}

function contentOf(
  { content, unsaved, version, wanted, look }: Surveyed,
  target: FileState,
): Omit<FileChange & { kind: 'put' }, 'kind' | 'path' | 'real'> {
  // Permissions that somebody else has changed since stay.
  const isModeOurs = version === undefined || look.state?.mode === wanted.left?.mode;
  return {
    bytes: content ?? new Uint8Array(),
    ...(target.mode === undefined || !isModeOurs ? {} : { mode: target.mode }),
    ...(version === undefined ? {} : { baseVersion: version }),
    ...(unsaved && { unsaved: decodeUtf8(unsaved) }),
  };
}

function changedFile({ wanted, look }: Surveyed, after: FileState | undefined): ChangedFile {
  const { path, real } = wanted;
  const before = look.state;
  return {
    path,
    ...(real === path ? {} : { real }),
    change: !after ? 'deleted' : before ? 'edited' : 'created',
    ...(before && { before }),
    ...(after && { after }),
    ...(look.problem === undefined ? {} : { lost: look.problem }),
  };
}

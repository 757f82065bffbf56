// What putting files back would do: each file as it is now, beside what it is to become.
import type { FileState } from '../../common/changes';
import type { Host, Path } from '../host';
import { inBatches } from './batches';
import type { Contents } from './contents';
import type { Wanted } from './ledger';
import { entryPath, isUri, lookAt, looksAlike, parentPath, type Look } from './state';
import type { RestoreFile } from './types';

export type SurveyHost = Pick<Host, 'files' | 'settings' | 'platform'>;

export interface Surveyed {
  readonly wanted: Wanted;
  readonly file: RestoreFile;
  readonly look: Look;
  /** A name of the file itself, which is no link. */
  readonly entry: Path;
  /** Of what is there now; absent: nothing is. */
  readonly version?: string;
  /** What the target names, where it is kept. */
  readonly content?: Uint8Array;
  readonly unsaved?: Uint8Array;
}

/** In the order of `wanted`. Never rejects. */
export async function survey(
  wanted: readonly Wanted[],
  host: SurveyHost,
  contents: Contents,
): Promise<readonly Surveyed[]> {
  return withoutOrphans(await inBatches(wanted, (one) => surveyOne(one, host, contents)));
}

async function surveyOne(wanted: Wanted, host: SurveyHost, contents: Contents): Promise<Surveyed> {
  const { path, real, target } = wanted;
  const [leadsTo, entry] = await Promise.all([host.files.realPath(path), entryPath(path, host)]);
  // The version first: what changes after it is refused when the files are written.
  const version = await host.files.version(path);
  const look = await lookAt(path, host);
  const [content, unsaved] = await Promise.all([read(target?.bytes, contents), read(target?.unsaved, contents)]);
  const common = {
    ...{ wanted, look, entry: entry === real ? path : real },
    ...(typeof version === 'string' ? { version } : {}),
    ...(content && { content }),
    ...(unsaved && { unsaved }),
  };
  const isKept = !target || (content !== undefined && (target.unsaved === undefined || unsaved !== undefined));
  const isBlocked = target !== undefined && !look.state && !(await hasRoom(path, host));
  const judged = leadsTo === real ? judge(wanted, look, { isKept, isBlocked }) : ASTRAY;
  return { ...common, file: { path, effect: effectOf(target, look.state), ...judged } };
}

function read(name: string | undefined, contents: Contents): Promise<Uint8Array | undefined> {
  return name === undefined ? Promise.resolve(undefined) : contents.read(name);
}

type Judged = Pick<RestoreFile, 'state' | 'reason'>;

const ASTRAY: Judged = { state: 'lost', reason: 'Its path leads somewhere else by now.' };
const GONE: Judged = { state: 'lost', reason: 'What it was is not stored any more.' };
const CHANGED: Judged = { state: 'changed', reason: 'It has been changed since.' };
const CHANGED_AND_LARGE: Judged = {
  state: 'changed',
  reason: 'It may have been changed since, and is too large to be kept, so that this cannot be taken back.',
};
const BLOCKED: Judged = { state: 'lost', reason: 'A file is where its folder was.' };
const UNSAVED: Judged = { state: 'lost', reason: 'It has unsaved changes. Save or discard them first.' };
const REMOTE: Judged = { state: 'lost', reason: 'It is not on a local disk, where alone bytes can be put back.' };
const BETWEEN: Judged = { state: 'changed', reason: 'It was changed in between by somebody else.' };

function judge(
  { path, target, left, lost, isUnbroken, isForeign }: Wanted,
  { state, problem, isTooLarge }: Look,
  { isKept, isBlocked }: { readonly isKept: boolean; readonly isBlocked: boolean },
): Judged {
  if (isSame(target, left, state)) return { state: 'same' };
  if (lost !== undefined) return { state: 'lost', reason: lost };
  if (!isKept) return GONE;
  if (isBlocked) return BLOCKED;
  if (target ? isUri(path) : state?.unsaved !== undefined) return target ? REMOTE : UNSAVED;
  if (problem !== undefined && !isTooLarge) return { state: 'lost', reason: problem };
  if (!looksAlike(left, state)) return isTooLarge ? CHANGED_AND_LARGE : CHANGED;
  return isUnbroken && !(isForeign && state) ? { state: 'ready' } : BETWEEN;
}

/** Permissions count where the session's changes have changed them. */
function isSame(target: FileState | undefined, left: FileState | undefined, now: FileState | undefined): boolean {
  if (!target || !now) return target === now;
  const hasMode = target.mode === undefined || [now.mode, left?.mode].includes(target.mode);
  return hasMode && looksAlike(target, now) && target.bytes === now.bytes;
}

function effectOf(target: FileState | undefined, now: FileState | undefined): RestoreFile['effect'] {
  if (!target) return 'remove';
  return now ? 'restore' : 'recreate';
}

/** The nearest thing that is there above a path is a folder. */
async function hasRoom(path: Path, host: SurveyHost): Promise<boolean> {
  for (let at = parentPath(path, host); ; at = parentPath(at, host)) {
    const found = await host.files.stat(at);
    if (found) return found.kind === 'directory';
    if (parentPath(at, host) === at) return true;
  }
}

/**
 * What was moved is not removed where it is not put back at its old place: it would be gone. Moves may be chained, and a
 * restore that is taken back knows of none, so what holds the very text that has no place counts as moved too, also where it
 * would be overwritten. What stays for that may be in the way of another one.
 */
function withoutOrphans(surveyed: readonly Surveyed[]): readonly Surveyed[] {
  const stuck = stuckOf(surveyed);
  const judged = surveyed.map((one) => {
    const { wanted, file, look } = one;
    const { from, target } = wanted;
    if (file.state === 'same') return one;
    const bytes = look.state?.bytes;
    const origin =
      (from === undefined || target ? undefined : stuck.get(placeOf(from))) ??
      (bytes === undefined ? undefined : stuck.get(textOf(bytes)));
    const isOrphan = file.state === 'ready' ? origin !== undefined : origin === 'lost' && !target;
    return isOrphan && origin ? { ...one, file: { ...file, ...ORPHANS[origin] } } : one;
  });
  return stuckOf(judged).size > stuck.size ? withoutOrphans(judged) : judged;
}

/** The places that are not put back, and the texts that belong there. */
function stuckOf(surveyed: readonly Surveyed[]): ReadonlyMap<string, 'lost' | 'changed'> {
  const stuck = new Map<string, 'lost' | 'changed'>();
  for (const { wanted, file } of surveyed) {
    if (!wanted.target || (file.state !== 'lost' && file.state !== 'changed')) continue;
    stuck.set(placeOf(wanted.key), file.state);
    if (wanted.target.bytes !== undefined) stuck.set(textOf(wanted.target.bytes), file.state);
  }
  return stuck;
}

const placeOf = (key: Path) => `place ${key}`;
const textOf = (bytes: string) => `text ${bytes}`;

const ORPHANS: Readonly<Record<'lost' | 'changed', Judged>> = {
  lost: { state: 'lost', reason: 'It was moved here, and cannot be put back where it came from.' },
  changed: { state: 'changed', reason: 'It was moved here, and something else is where it came from.' },
};

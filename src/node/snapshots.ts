// The Snapshots port on a disk: what commands change without announcing it. Files are looked at, and opened only where that may matter.
import type { Snapshot, SnapshotChange, Snapshots } from '../core/checkpoint/types';
import type { Clock, Path } from '../core/host';
import { basename } from 'node:path';
import { systemClock } from './clock';
import {
  blobContent,
  bytesOf,
  copyContent,
  COPIES_MAX_BYTES,
  holdsStill,
  LINK_LOST,
  type Content,
  type CopyRoom,
} from './contents';
import { createGit, type Git } from './git';
import { FULL, listFiles, MAX_FILES, type Listing, type ListOptions } from './listing';
import { hasSameContentLook, isBornAfter, isFresh, isSameLook, lookAt, type Look } from './looks';

export interface SnapshotOptions {
  readonly git?: Git;
  readonly maxFiles?: number;
  /** The one that files are dated with. */
  readonly clock?: Pick<Clock, 'now'>;
}

interface Entry {
  readonly look: Look;
  readonly content: Content;
  /** Written so shortly before the look that the look alone proves nothing. */
  readonly isFresh: boolean;
}

interface Taken {
  readonly roots: readonly Path[];
  readonly entries: Map<Path, Entry>;
  readonly rules: string;
  readonly takenNs: bigint;
}

const NS_PER_MS = 1_000_000n;
const READS_AT_ONCE = 16;
const COMPARED_AT_ONCE = 64;

export function createSnapshots(options: SnapshotOptions = {}): Snapshots {
  const { git = createGit(), maxFiles = MAX_FILES, clock = systemClock } = options;
  /** Of the latest snapshot: what looks the same is not copied again. */
  let known: ReadonlyMap<Path, Entry> = new Map();
  const open = new Set<Taken>();
  const nowNs = (): bigint => BigInt(Math.floor(clock.now())) * NS_PER_MS;
  const refresh = async (paths: readonly Path[]) => {
    if (open.size === 0 || paths.length === 0) return;
    const files = new Map(paths.map((path) => [path, undefined]));
    const fresh = await enter({ files }, new Map(), nowNs());
    for (const { entries } of open) {
      for (const path of paths) {
        const entry = fresh.get(path);
        if (entry) entries.set(path, entry);
        else entries.delete(path);
      }
    }
  };
  return {
    async take(roots, signal): Promise<Snapshot> {
      const listing = await listFiles(roots, { git, maxFiles, signal, facts: 'all' });
      const takenNs = nowNs();
      const entries = await enter(listing, known, takenNs);
      if (!signal.aborted) known = new Map(entries);
      const taken: Taken = { roots, entries, rules: listing.rules, takenNs };
      open.add(taken);
      const changes = async (until: AbortSignal) => {
        open.delete(taken);
        if (until.aborted) return [];
        const changed = await compare(taken, { git, maxFiles, signal: until, facts: 'names' });
        await refresh(changed.map(({ path }) => path));
        return changed;
      };
      return { unseen: listing.unseen, goesOn: () => undefined, changes };
    },
    refresh,
  };
}

/** The copies of tracked files come first: who is told of a limit rather misses what was never worth tracking. */
async function enter(
  { files }: Pick<Listing, 'files'>,
  known: ReadonlyMap<Path, Entry>,
  takenNs: bigint,
): Promise<Map<Path, Entry>> {
  const looks = await lookAt([...files.keys()]);
  const contents = new Map<Path, Content>();
  const toCopy: Path[] = [];
  const room: CopyRoom = { leftBytes: COPIES_MAX_BYTES };
  for (const [path, look] of looks) {
    const content = look.isLink
      ? { lost: LINK_LOST }
      : (blobContent(files.get(path), look) ?? keptCopy(path, look, known));
    if (!content) toCopy.push(path);
    else contents.set(path, content);
    if (content && 'bytes' in content) room.leftBytes -= content.bytes.length;
  }
  toCopy.sort((a, b) => Number(files.get(b) !== undefined) - Number(files.get(a) !== undefined));
  for (let start = 0; start < toCopy.length; start += READS_AT_ONCE) {
    await Promise.all(
      toCopy.slice(start, start + READS_AT_ONCE).map(async (path) => {
        const look = looks.get(path);
        if (look) contents.set(path, await copyContent(path, look, files.get(path), room));
      }),
    );
  }
  const entries = new Map<Path, Entry>();
  for (const [path, look] of looks) {
    const content = contents.get(path);
    if (content) entries.set(path, { look, content, isFresh: isFresh(look, takenNs) });
  }
  return entries;
}

function keptCopy(path: Path, look: Look, known: ReadonlyMap<Path, Entry>): Content | undefined {
  const entry = known.get(path);
  if (!entry || entry.isFresh || 'lost' in entry.content) return undefined;
  return isSameLook(entry.look, look) ? entry.content : undefined;
}

type Difference = Omit<SnapshotChange, 'before' | 'lost'> & { readonly before?: Entry; readonly lost?: string };

async function compare(taken: Taken, options: ListOptions): Promise<readonly SnapshotChange[]> {
  const { entries, roots } = taken;
  const listing = await listFiles(roots, options);
  const paths = [...new Set([...entries.keys(), ...listing.files.keys()])].sort();
  const looks = await lookAt(paths);
  const differences = await differencesOf(entries, looks);
  const appeared = paths.filter((path) => !entries.has(path));
  const isSure = isSameRules(taken, listing, [...differences.map(({ path }) => path), ...appeared]);
  differences.push(...created(appeared, looks, taken, isSure));
  return withBytes(
    differences.sort((a, b) => (a.path < b.path ? -1 : 1)),
    options,
  );
}

async function differencesOf(entries: ReadonlyMap<Path, Entry>, looks: ReadonlyMap<Path, Look>): Promise<Difference[]> {
  const all = [...entries];
  const differences: Difference[] = [];
  for (let start = 0; start < all.length; start += COMPARED_AT_ONCE) {
    const slice = all.slice(start, start + COMPARED_AT_ONCE);
    const found = await Promise.all(slice.map(([path, before]) => differenceOf(path, before, looks.get(path))));
    differences.push(...found.filter((difference) => difference !== undefined));
  }
  return differences;
}

async function differenceOf(path: Path, before: Entry, look: Look | undefined): Promise<Difference | undefined> {
  if (!look) return { path, change: 'deleted', before };
  if (isSameLook(before.look, look) && !before.isFresh) return undefined;
  if (!(await isChanged(path, before, look))) return undefined;
  if (look.isLink && !before.look.isLink)
    return { path, change: 'edited', lost: 'A symbolic link has taken its place.' };
  return { path, change: 'edited', before };
}

async function isChanged(path: Path, before: Entry, look: Look): Promise<boolean> {
  if (before.look.isLink !== look.isLink || before.look.mode !== look.mode) return true;
  return !((await holdsStill(path, look, before.content)) ?? hasSameContentLook(before.look, look));
}

/** What was left out before would have been left out now too, so that whatever has appeared is new. */
function isSameRules({ rules }: Taken, listing: Listing, changed: readonly Path[]): boolean {
  return rules !== FULL && rules === listing.rules && !changed.some((path) => basename(path) === '.gitignore');
}

const UNKNOWN_BEFORE = 'It was ignored before, so what it was is not known.';

function created(
  paths: readonly Path[],
  looks: ReadonlyMap<Path, Look>,
  { entries, takenNs }: Taken,
  isSure: boolean,
): Difference[] {
  const inodes = new Set([...entries.values()].map(({ look }) => look.ino));
  return paths.flatMap((path): Difference[] => {
    const look = looks.get(path);
    if (!look) return [];
    if (look.isLink) return [{ path, change: 'created', lost: LINK_LOST }];
    const isNew = isSure || inodes.has(look.ino) || (isBornAfter(look, takenNs) ?? true);
    if (isNew) return [{ path, change: 'created' }];
    // It was there and only comes to light now.
    return isFresh(look, takenNs) ? [{ path, change: 'edited', lost: UNKNOWN_BEFORE }] : [];
  });
}

async function withBytes(
  differences: readonly Difference[],
  { git, signal }: ListOptions,
): Promise<readonly SnapshotChange[]> {
  const wanted = differences.map(({ before, lost }): Content => before?.content ?? { lost: lost ?? '' });
  const found = await bytesOf(wanted, git, signal);
  return differences.map(({ path, change, before, lost }, at): SnapshotChange => {
    if (lost !== undefined) return { path, change, lost };
    const bytes = found[at];
    if (!before || !bytes) return { path, change };
    if ('lost' in bytes) return { path, change, lost: bytes.lost };
    return { path, change, before: { bytes: bytes.bytes, mode: before.look.mode } };
  });
}

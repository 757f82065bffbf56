// What Git knows of a folder: the files it tracks, with their contents' names, and those that are neither tracked nor ignored.
import { lstat, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { contains } from '../core/files/names';
import { currentPlatform } from './platform';
import type { Git } from './git';

/** A tracked file as the index has it. */
export interface Tracked {
  /** The object's name in hex: SHA-1 or, in newer repositories, SHA-256. */
  readonly blob: string;
  /** Where Git finds the object. */
  readonly cwd: string;
  /** What the file was when Git last saw that it holds this content. */
  readonly seen: { readonly size: number; readonly mtimeNs: bigint; readonly ctimeNs: bigint };
  /** The file may have been changed right after Git looked. */
  readonly isInDoubt: boolean;
  /** A filter, an encoding or an id that Git writes in stands between the object and the file. */
  readonly isConverted: boolean;
}

export interface RepositoryListing {
  /** By absolute path; undefined for what is not tracked. */
  readonly files: ReadonlyMap<string, Tracked | undefined>;
  /** Repositories inside, of which Git tells nothing here. */
  readonly nested: readonly string[];
  /** Differs when something besides the `.gitignore` files decides what is ignored. */
  readonly rules: string;
  readonly isFull?: never;
}

/** Folders of other programs' files, left out where nobody ignores them either. */
const LEFT_OUT = ['node_modules', '__pycache__', '.venv', 'venv'].flatMap((name) => ['-x', `${name}/`]);

/** Undefined when the folder is in no repository, or in one that ignores it, or Git cannot be asked. */
export async function listRepository(folder: string, asked: Asked): Promise<RepositoryListing | undefined> {
  const { git, signal } = asked;
  const ask = (...args: string[]) => git({ args, cwd: folder, signal });
  const [where, tracked, others] = await Promise.all([
    ask('rev-parse', '--show-toplevel', '--git-path', 'index', '--git-path', 'info/exclude'),
    ask('ls-files', '-s', ...(asked.facts === 'all' ? ['--debug'] : []), '-z'),
    ask('ls-files', '-o', '-z', '--exclude-standard', ...LEFT_OUT),
  ]);
  if (!where || !tracked || !others) return undefined;
  const [top = '', index = '', exclude = ''] = where.toString().split('\n');
  if (!(await isOwn(folder, top, ask))) return undefined;

  const pathOf = (name: string): string => folder + sep + (sep === '/' ? name : name.replaceAll('/', sep));
  const files = new Map<string, Tracked | undefined>();
  const nested: string[] = [];
  for (const name of others.toString().split('\0')) {
    if (name.endsWith('/')) nested.push(pathOf(name.slice(0, -1)));
    else if (name !== '') files.set(pathOf(name), undefined);
  }
  const entries = [...entriesOf(tracked.toString())];
  const [indexNs, excludeNs] = await Promise.all([index, exclude].map((path) => mtimeNs(resolve(folder, path))));
  const converted = asked.facts === 'all' ? await convertedOf(entries, folder, asked) : () => true;
  for (const { name, mode, blob, seen } of entries) {
    if (mode === SUBMODULE) nested.push(pathOf(name));
    else if (blob === undefined || seen === undefined || mode === LINK) files.set(pathOf(name), undefined);
    else {
      const isInDoubt = seen.mtimeNs >= wholeSecondsIn(indexNs ?? 0n, seen.mtimeNs);
      files.set(pathOf(name), { blob, cwd: folder, seen, isInDoubt, isConverted: converted(name) });
    }
  }
  return { files, nested, rules: `git ${top} ${excludeNs}` };
}

export interface Asked {
  readonly git: Git;
  readonly signal: AbortSignal;
  /** `names`: which files there are, but nothing of what Git knows of them, which takes half the time. */
  readonly facts: 'all' | 'names';
}

const SUBMODULE = '160000';
const LINK = '120000';

/** A Git that counts whole seconds only cannot tell what happened later in the same one. */
function wholeSecondsIn(indexNs: bigint, entryNs: bigint): bigint {
  return entryNs % NS_PER_S === 0n ? indexNs - (indexNs % NS_PER_S) : indexNs;
}

const NS_PER_S = 1_000_000_000n;

/** The folder lies in the repository's tree, and the repository does not ignore it whole. */
async function isOwn(
  folder: string,
  top: string,
  ask: (...args: string[]) => Promise<Buffer | undefined>,
): Promise<boolean> {
  const [realFolder, realTop] = await Promise.all([folder, top].map((path) => realpath(path).catch(() => undefined)));
  if (realFolder === undefined || realTop === undefined) return false;
  if (realFolder === realTop) return true;
  if (!contains(realTop, realFolder, currentPlatform())) return false;
  return (await ask('check-ignore', '-q', '--no-index', '--', '.')) === undefined;
}

async function mtimeNs(path: string): Promise<bigint | undefined> {
  return lstat(path, { bigint: true }).then(
    (found) => found.mtimeNs,
    () => undefined,
  );
}

interface IndexEntry {
  readonly name: string;
  readonly mode: string;
  /** Absent while a merge is not resolved. */
  readonly blob: string | undefined;
  /** Absent where it was not asked for. */
  readonly seen: Tracked['seen'] | undefined;
}

/** `MODE OBJECT STAGE`, a tab and the name. */
const MODE_CHARS = 6;
/** Begins the lines of facts that `--debug` adds. */
const FACTS_START = '  ctime: ';
const FACTS =
  /^ {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\tflags: [0-9a-f]+\n/;

/** Each entry ends with NUL, and the lines of facts about it, if any, follow. */
function* entriesOf(output: string): Generator<IndexEntry> {
  let head = '';
  for (const piece of output.split('\0')) {
    const facts = piece.startsWith(FACTS_START) ? FACTS.exec(piece) : null;
    const tab = head.indexOf('\t');
    if (tab !== -1) {
      const blob = head[tab - 1] === '0' ? head.slice(MODE_CHARS + 1, tab - 2) : undefined;
      yield {
        name: head.slice(tab + 1),
        mode: head.slice(0, MODE_CHARS),
        blob,
        seen: facts ? seenOf(facts) : undefined,
      };
    }
    head = facts ? piece.slice(facts[0].length) : piece;
  }
}

function seenOf([, cs = '', cn = '', ms = '', mn = '', size = '']: RegExpExecArray): Tracked['seen'] {
  return { size: Number(size), mtimeNs: nsOf(ms, mn), ctimeNs: nsOf(cs, cn) };
}

function nsOf(seconds: string, nanoseconds: string): bigint {
  return BigInt(seconds) * NS_PER_S + BigInt(nanoseconds);
}

const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding'];
const NONE = ['unspecified', 'unset', ''];

/** Asked of the attributes, which runs no filter. Where that fails every file may be converted. */
async function convertedOf(
  entries: readonly IndexEntry[],
  cwd: string,
  { git, signal }: Asked,
): Promise<(name: string) => boolean> {
  if (entries.length === 0) return () => false;
  const input = entries.map(({ name }) => `${name}\0`).join('');
  const output = await git({ args: ['check-attr', '-z', '--stdin', ...ATTRIBUTES], cwd, signal, input });
  if (!output) return () => true;
  const fields = output.toString().split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    if (!NONE.includes(fields[at + 2] ?? '')) names.add(fields[at] ?? '');
  }
  return (name) => names.has(name);
}

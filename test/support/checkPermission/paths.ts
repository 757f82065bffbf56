// Judges the cases about paths: each through the tool that does such a thing, in the mode of the case; what is allowed is done.
import { MODE_INFO, type Mode } from '../../../src/common/modes';
import type { JsonObject } from '../../../src/common/json';
import { absolutePath } from '../../../src/core/files/paths';
import type { Platform } from '../../../src/core/host';
import { faultOfAsks, judgeCall, type MadeCall } from './calls';
import type { Case, Judged } from './cases';
import { createWorld, LINUX, OUTSIDE_TEXT, type World } from './world';

export interface PathCase extends Case {
  readonly op: string;
  readonly path: string;
  readonly platform?: string;
  readonly workspace?: string;
  readonly mode?: string;
  /** Lines for a shell in the workspace. */
  readonly setup?: readonly string[];
  /** One that is run between the decision and the use. */
  readonly race?: string | readonly string[];
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  linux: LINUX,
  darwin: { ...LINUX, os: 'darwin', foldsCase: true },
  win32: { os: 'win32', homeDir: 'C:\\Users\\dev', foldsCase: true, timeZone: 'UTC' },
};

export async function judgePath(path: PathCase): Promise<Judged> {
  const { platform: name = 'linux', workspace } = path;
  const platform = PLATFORMS[name];
  if (!platform) throw new Error(`Its platform is not known: ${name} (${Object.keys(PLATFORMS).join(', ')})`);
  const world = await createWorld(platform, workspace ?? (name === 'win32' ? 'C:\\w\\proj' : '/w/proj'));
  try {
    return await judgeIn(world, path);
  } finally {
    await world.remove();
  }
}

async function judgeIn(
  world: World,
  { op, path, mode, setup = [], race, expect, must_show }: PathCase,
): Promise<Judged> {
  setup.forEach(world.run);
  const absolute = absolutePath(path, world.root, world.host.platform);
  const isKnown = typeof absolute === 'string';
  // A case about a file means one that is there, unless it says that it cannot be.
  if (isKnown && NEEDS_FILE.has(op) && expect !== 'deny') await world.provide(absolute);
  const isFile = (written: string): boolean => {
    const place = absolutePath(written, world.root, world.host.platform);
    return typeof place === 'string' && world.isFile(place);
  };
  let before = world.outside();
  const lines = race === undefined ? [] : [race].flat();
  const runRace = (): void => {
    lines.forEach(world.run);
    before = world.outside();
  };
  const { decision, result, asks } = await judgeCall(world, {
    ...callFor(op, path, isKnown && world.isFolder(absolute)),
    mode: modeOf(mode),
    before: [path, MOVED].filter(isFile).map((file) => ({ tool: 'read', input: { file_path: file } })),
    // What is asked about is allowed here: it is the use after it that counts.
    ...(lines.length === 0 ? {} : { answer: 'once', race: runRace }),
  });
  const fault =
    world.outside() !== before
      ? 'it landed outside'
      : decision === 'allow' && result.text.includes(OUTSIDE_TEXT)
        ? 'it told what lies outside'
        : faultOfAsks(asks, must_show);
  // What the race has made impossible is refused when it is used.
  const isStopped = lines.length > 0 && decision === 'allow' && result.status === 'failed' && expect !== 'allow';
  return { got: isStopped ? 'deny' : decision, ...(fault === undefined ? {} : { fault }) };
}

const NEEDS_FILE: ReadonlySet<string> = new Set(['read', 'delete', 'edit', 'search', 'grep']);
/** What is moved to where a case says. */
const MOVED = 'notes.txt';

function modeOf(mode = 'acceptEdits'): Mode {
  if (mode in MODE_INFO) return mode as Mode;
  throw new Error(`Its mode is not known: ${mode}`);
}

function callFor(op: string, path: string, isFolder: boolean): Pick<MadeCall, 'tool' | 'input'> {
  const call = (tool: string, input: JsonObject) => ({ tool, input });
  switch (op) {
    case 'read':
      return call('read', { file_path: path });
    case 'write':
    case 'create':
      return call('write', { file_path: path, content: validText(path) });
    case 'edit':
      return call('edit', { file_path: path, old_string: 'provided', new_string: 'edited' });
    case 'list':
    case 'ls':
      return call('ls', { path });
    case 'glob':
      return call('glob', { pattern: '**/*', path });
    case 'search':
    case 'grep':
      return call('grep', { pattern: 'lies', path, output_mode: 'content' });
    case 'move':
    case 'rename':
      return call('move', { file_path: MOVED, to: path });
    case 'delete':
      // The tool takes one file and names the shell for a folder.
      return isFolder ? call('bash', { command: `rm -r -- '${path}'` }) : call('delete', { file_path: path });
    default:
      throw new Error(`Nothing here does that: ${op}`);
  }
}

/** A text that breaks no configuration, whatever its kind: that is refused before anybody is asked. */
function validText(path: string): string {
  if (/\.code-workspace$/i.test(path)) return '{ "folders": [] }\n';
  return /\.(json|ipynb)$/i.test(path) ? '{}\n' : '# written by a case\n';
}

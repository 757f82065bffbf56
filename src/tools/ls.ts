// Tool: what a folder holds, as a tree.
import { hiddenBelow } from '../core/access/hidden';
import { compileGlob } from '../core/files/glob';
import { missingFile, pathFromCwd, pathInRoots } from '../core/files/naming';
import { styleOf } from '../core/files/names';
import { faultText, locatePath, resolvePath, type ResolvedPath } from '../core/files/paths';
import { isProblem, type DirectoryEntry, type Host, type Path } from '../core/host';
import { defineTool } from '../core/tool/tool';

/** Sources: [T04]. */
const MAX_ENTRIES = 100;
const MAX_DEPTH = 5;
const CLOSED_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'dist', 'build', 'target', 'out', 'venv', 'coverage', '__pycache__'],
]);

type IsIgnored = (path: Path, entry: DirectoryEntry) => Promise<boolean>;

interface Node {
  readonly path: Path;
  readonly name: string;
  readonly isFolder: boolean;
  readonly depth: number;
  readonly children: Node[];
  /** Why what is in the folder is not shown. */
  note?: string | undefined;
}

export const ls = defineTool({
  name: 'ls',
  kind: 'read',
  description:
    'Lists a folder as a tree, folders first: up to 5 levels and 100 entries. Hidden entries are left out, generated folders (node_modules, dist, …) stay closed.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The folder; by default the current one' },
      ignore: {
        type: 'array',
        items: { type: 'string', description: 'A glob' },
        description: 'Globs of what to leave out',
      },
    },
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['list', 'list_dir', 'list_directory', 'list_files', 'tree'],
  searchHint: 'list a folder',
  shape: 'window',
  retry: true,
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ path }) => `List ${path ?? 'the folder'}`,

  async prepare({ path = '.', ignore = [] }, ctx) {
    const resolved = await resolvePath(path, ctx);
    if ('objection' in resolved) return resolved;
    const stat = await ctx.host.files.stat(resolved.path);
    if (!stat) return missingFile(resolved, ctx);
    if (stat.kind !== 'directory') return { objection: `${resolved.shown} is a file. Read it with read.` };
    return { targets: [{ op: 'read', path: resolved.path }], plan: { resolved, ignore } };
  },

  async run({ resolved, ignore }: { readonly resolved: ResolvedPath; readonly ignore: readonly string[] }, ctx) {
    const { host } = ctx;
    const { path } = resolved;
    const globs = ignore.map(compileGlob);
    const isUnwanted = (child: Path) => globs.some((fits) => fits(pathFromCwd(child, { host, cwd: () => path })));
    const { leavesOut, faults } = await hiddenBelow([resolved], host);
    let hiddenCount = 0;
    const isIgnored = async (child: Path, { isLink }: DirectoryEntry) => {
      if (isUnwanted(child)) return true;
      const isHidden = (await leavesOut(child)) || (isLink && (await locatePath(child, host)).isHidden === true);
      if (isHidden) hiddenCount++;
      return isHidden;
    };
    const top: Node = { path, name: pathFromCwd(path, ctx), isFolder: true, depth: 0, children: [] };
    const problem = await open(top, host, isIgnored);
    if (problem !== undefined) return { text: problem, failed: true };

    const hasMore = await grow(top, host, isIgnored);
    const nodes = flatten(top);
    const lines = nodes.map(({ name, isFolder, depth, note }) => {
      return `${'  '.repeat(depth)}${name}${isFolder ? '/' : ''}${note === undefined ? '' : ` (${note})`}`;
    });
    const files = nodes.filter(({ isFolder }) => !isFolder).map((node) => pathInRoots(node.path, host));
    const remarks = [
      ...(hasMore ? [`(Only the first ${MAX_ENTRIES} entries: list a folder below, or use glob.)`] : []),
      ...(hiddenCount > 0 ? [`(${hiddenCount} hidden from you ${hiddenCount === 1 ? 'is' : 'are'} left out.)`] : []),
      ...faults().map((fault) => `(${faultText(fault)})`),
    ];
    return {
      text: lines.join('\n'),
      ...(remarks.length > 0 ? { summary: remarks.join('\n') } : {}),
      display: { kind: 'files', paths: files, more: hasMore ? 1 : 0 },
    };
  },
});

/** Opens folder after folder, level by level, so that a large one does not hide what stands beside it. */
async function grow(top: Node, host: Host, isIgnored: IsIgnored): Promise<boolean> {
  let room = MAX_ENTRIES - top.children.length;
  if (room < 0) {
    top.children.length = MAX_ENTRIES;
    return true;
  }
  let isCut = false;
  const waiting = [...top.children];
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    if (!node.isFolder || node.note !== undefined) continue;
    if (room === 0 || node.depth === MAX_DEPTH) {
      node.note = 'not opened';
      isCut ||= room === 0;
      continue;
    }
    node.note = await open(node, host, isIgnored);
    isCut ||= node.children.length > room;
    if (node.children.length > room) node.note = `${node.children.length - room} more`;
    node.children.length = Math.min(node.children.length, room);
    room -= node.children.length;
    waiting.push(...node.children);
  }
  return isCut;
}

/** Returns why it cannot be opened. */
async function open(node: Node, host: Host, isIgnored: IsIgnored): Promise<string | undefined> {
  const entries = await host.files.list(node.path);
  if (isProblem(entries)) return entries.message;
  for (const entry of entries.filter(({ name }) => !name.startsWith('.')).sort(foldersFirst)) {
    const isFolder = entry.kind === 'directory';
    const note = isFolder && (CLOSED_FOLDERS.has(entry.name) || entry.isLink) ? { note: 'not opened' } : {};
    const path = styleOf(host.platform).join(node.path, entry.name);
    if (await isIgnored(path, entry)) continue;
    node.children.push({ path, name: entry.name, isFolder, depth: node.depth + 1, children: [], ...note });
  }
  return undefined;
}

function foldersFirst(a: DirectoryEntry, b: DirectoryEntry): number {
  return Number(b.kind === 'directory') - Number(a.kind === 'directory') || (a.name < b.name ? -1 : 1);
}

function flatten(node: Node): Node[] {
  return [node, ...node.children.flatMap(flatten)];
}

// Tool: gives one file another name or place.
import type { FileDiff } from '../common/display';
import { refuseBroken } from '../core/config/guard';
import { currentEntry } from '../core/files/entry';
import { faultOf, pathForDisplay } from '../core/files/naming';
import { foldPath } from '../core/files/names';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { FileChange } from '../core/host';
import { defineTool, type ToolContext } from '../core/tool/tool';

interface Plan {
  readonly from: ResolvedPath;
  readonly to: ResolvedPath;
  readonly change: FileChange;
  readonly diff: FileDiff;
}

export const move = defineTool({
  name: 'move',
  kind: 'edit',
  description:
    'Moves or renames one file; missing folders are made, nothing is overwritten. A text must have been read first. What refers to the file (imports) is not changed. Folders are moved with the shell.',
  schema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path of the file', minLength: 1 },
      to: { type: 'string', description: 'Its whole new path, name included', minLength: 1 },
    },
    required: ['file_path', 'to'],
    additionalProperties: false,
  },
  deferred: true,
  aliases: ['move_file', 'rename', 'rename_file', 'mv', 'file_move', 'FileMoveTool'],
  searchHint: 'rename a file, put it elsewhere',
  title: ({ file_path, to }) => `Move ${file_path} to ${to}`,

  async prepare(input, ctx) {
    const [from, to] = await Promise.all([resolvePath(input.file_path, ctx), resolvePath(input.to, ctx)]);
    if ('objection' in from) return from;
    if ('objection' in to) return to;
    const blocked = await blockedBy(from, to, ctx);
    if (blocked !== undefined) return { objection: blocked };
    const current = await currentEntry(from, { deed: 'moved', command: 'mv, git mv' }, ctx);
    if ('objection' in current) return current;
    const { text } = current;
    const broken =
      text === undefined ? undefined : await refuseBroken(to, { before: undefined, after: text }, ctx.host);
    if (broken !== undefined) return { objection: broken };
    const change: FileChange = {
      ...{ kind: 'move', path: from.path, real: from.real, baseVersion: current.version },
      ...{ to: to.path, toReal: to.real },
    };
    const names = { path: pathForDisplay(to), from: pathForDisplay(from) };
    const diff: FileDiff = { ...names, change: 'moved', added: 0, removed: 0, hunks: [] };
    const plan: Plan = { from, to, change, diff };
    const targets = [
      { op: 'write', path: from.path },
      { op: 'write', path: to.path },
    ] as const;
    return { targets, preview: { kind: 'diff', files: [diff] } as const, plan };
  },

  async run({ from, to, change, diff }: Plan, { host, reads, call }) {
    const label = `Move ${from.shown} to ${to.shown}`;
    const outcome = await host.edits.apply({ label, call, changes: [change] });
    if (!outcome.ok) return { text: outcome.reason, failed: true };
    const known = reads.get(from.real);
    reads.forget(from.real);
    const version = outcome.files[0]?.after?.version ?? known?.version;
    if (known && version !== undefined) reads.set(to.real, { ...known, version });
    return { text: `Moved ${from.shown} to ${to.shown}.`, display: { kind: 'diff', files: [diff] } };
  },
});

/** Why nothing can go there. */
async function blockedBy(from: ResolvedPath, to: ResolvedPath, ctx: ToolContext): Promise<string | undefined> {
  if (from.path === to.path) return `${from.shown} has that name already: nothing to move.`;
  const { host } = ctx;
  // On a system that folds case the new spelling is found there as well, and is the file itself.
  if (foldPath(from.path, host.platform) === foldPath(to.path, host.platform)) return undefined;
  const there = await host.files.stat(to.path);
  if (!there) return faultOf(to, ctx);
  if (there?.kind === 'directory') {
    return `${to.shown} is a folder. Give the whole new path, with the file’s name at its end.`;
  }
  return `${to.shown} exists already, and nothing is overwritten. Choose another name, or delete it first.`;
}

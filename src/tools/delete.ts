// Tool: takes away one file.
import type { FileDiff } from '../common/display';
import { currentEntry } from '../core/files/entry';
import { pathForDisplay } from '../core/files/naming';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { EditedFile, FileChange, Host } from '../core/host';
import { defineTool } from '../core/tool/tool';

interface Plan {
  readonly resolved: ResolvedPath;
  readonly change: FileChange;
  readonly diff: FileDiff;
  /** A checkpoint keeps what it is now. */
  readonly canComeBack: boolean;
}

/** Lines of a deleted text that its diff shows; the others are counted. */
const MAX_DIFF_LINES = 1_000;

export const deleteFile = defineTool({
  name: 'delete',
  kind: 'edit',
  description:
    'Deletes one file. A text must have been read first. Folders are deleted with the shell. Not for moving: use move.',
  schema: {
    type: 'object',
    properties: { file_path: { type: 'string', description: 'Path of the file', minLength: 1 } },
    required: ['file_path'],
    additionalProperties: false,
  },
  deferred: true,
  aliases: ['delete_file', 'remove_file', 'remove', 'rm', 'unlink', 'FileDeleteTool', 'file_delete'],
  searchHint: 'remove a file',
  title: ({ file_path }) => `Delete ${file_path}`,

  async prepare({ file_path }, ctx) {
    const resolved = await resolvePath(file_path, ctx);
    if ('objection' in resolved) return resolved;
    const current = await currentEntry(resolved, { deed: 'deleted', command: 'rm, rm -r, rmdir' }, ctx);
    if ('objection' in current) return current;
    const { path, real } = resolved;
    const change = { kind: 'delete', path, real, baseVersion: current.version } as const;
    const diff = removal(pathForDisplay(resolved), current.text ?? '');
    const plan: Plan = { resolved, change, diff, canComeBack: await canComeBack(resolved, ctx.host) };
    return { targets: [{ op: 'delete', path }], preview: { kind: 'diff', files: [diff] } as const, plan };
  },

  async run({ resolved, change, diff, canComeBack }: Plan, { host, reads, call }) {
    const { shown, real } = resolved;
    const outcome = await host.edits.apply({ label: `Delete ${shown}`, call, changes: [change] });
    if (!outcome.ok) return { text: outcome.reason, failed: true };
    reads.forget(real);
    const lines = diff.removed === 0 ? '' : ` (${diff.removed} ${diff.removed === 1 ? 'line' : 'lines'})`;
    return {
      text: `Deleted ${shown}${lines}. ${whereItIs(outcome.files[0], canComeBack)}`.trimEnd(),
      display: { kind: 'diff', files: [diff] },
    };
  },
});

function removal(path: string, text: string): FileDiff {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => ({ sign: '-', text: line }) as const);
  const hunks = shown.length === 0 ? [] : [{ oldStart: 1, newStart: 1, lines: shown }];
  const isCut = shown.length < lines.length;
  return { path, change: 'deleted', added: 0, removed: lines.length, hunks, ...(isCut ? { moreHunks: 1 } : {}) };
}

/** What is too large to be edited is too large to be kept. */
async function canComeBack({ path }: ResolvedPath, { files, settings }: Host): Promise<boolean> {
  if (!settings.get('checkpoints.enabled')) return false;
  const found = await files.stat(path);
  return found !== undefined && found.sizeBytes <= settings.get('files.maxEditBytes');
}

function whereItIs(file: EditedFile | undefined, canComeBack: boolean): string {
  if (file?.isInTrash) return 'It lies in the trash.';
  return canComeBack ? 'The person can bring it back from the checkpoint of this prompt.' : '';
}

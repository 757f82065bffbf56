// Tool: changes one cell of a notebook; what the others hold, and what was put out, stays.
import type { FileDiff } from '../common/display';
import { applySplices } from '../core/edit/lines';
import { diffTexts } from '../core/edit/patch';
import { currentText } from '../core/files/current';
import { missingFile, pathForDisplay } from '../core/files/naming';
import { findCell, hasNotebookName, parseNotebook, type Notebook, type NotebookCell } from '../core/files/notebook';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { CellChange, FileChange, NewCell, TextFile } from '../core/host';
import { changedText } from '../core/tool/changed';
import { defineTool, type Amended, type Changeable, type PreparedCall } from '../core/tool/tool';

type CellType = 'code' | 'markdown' | 'raw';

interface Input {
  readonly file_path: string;
  readonly cell_id?: string;
  readonly new_source?: string;
  readonly cell_type?: CellType;
  readonly edit_mode?: 'replace' | 'insert' | 'delete';
}

interface Plan {
  readonly resolved: ResolvedPath;
  readonly change: FileChange;
  readonly diff: FileDiff;
  readonly target: PlannedCell;
}

export const notebookedit = defineTool({
  name: 'notebookedit',
  kind: 'edit',
  description:
    'Changes one cell of a Jupyter notebook (.ipynb) that was read. Cells are named by the ids that read shows. edit_mode: replace (default) the source of cell_id, its outputs stay; insert a cell after cell_id, or at the top without it; delete cell_id.',
  schema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path of the notebook', minLength: 1 },
      cell_id: { type: 'string', description: 'Id of the cell, or #3 for the third' },
      new_source: { type: 'string', description: 'The whole source of the cell' },
      cell_type: {
        type: 'string',
        enum: ['code', 'markdown', 'raw'],
        description: 'By default as it is; of a new cell code',
      },
      edit_mode: { type: 'string', enum: ['replace', 'insert', 'delete'], description: 'What to do' },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
  deferred: true,
  aliases: ['NotebookEdit', 'edit_notebook', 'NotebookEditTool', 'notebook_edit_cell', 'edit_notebook_file'],
  searchHint: 'change, add, delete a cell of a Jupyter notebook (.ipynb)',
  title: ({ file_path, cell_id, edit_mode = 'replace' }) =>
    edit_mode === 'insert'
      ? `Insert a cell into ${file_path}`
      : `${edit_mode === 'delete' ? 'Delete' : 'Edit'} cell ${cell_id ?? ''} of ${file_path}`.replace('  ', ' '),

  async prepare(input, ctx) {
    const senseless = refuseSenseless(input);
    if (senseless !== undefined) return { objection: senseless };
    const resolved = await resolvePath(input.file_path, ctx);
    if ('objection' in resolved) return resolved;
    const { path, shown } = resolved;
    const stat = await ctx.host.files.stat(path);
    if (!stat) return missingFile(resolved, ctx);
    if (!hasNotebookName(path)) return { objection: `${shown} is no notebook (.ipynb). Use edit.` };
    const current = await currentText(resolved, ctx);
    if ('objection' in current) return current;
    const { file, isKnown, isInContext } = current;
    if (!isKnown) return { objection: `${shown} has changed since it was read. Read it again.` };
    if (!isInContext) {
      return { objection: `${shown} was read so long ago that its text has left the conversation. Read it again.` };
    }
    const notebook = parseNotebook(file.text);
    if (!notebook) return { objection: `${shown} is no notebook of format 4. Use edit on its JSON.` };
    const id = hasIds(file.text) ? newId(ctx.host.ids.next('cell')) : undefined;
    const around: Around = { resolved, file, notebook, id };
    const planned = await planCall(input, around);
    if ('objection' in planned) return planned;
    const { edit_mode = 'replace' } = input;
    if (edit_mode === 'delete') return preparedOf(planned);
    return { ...preparedOf(planned), proposal: proposalOf({ ...input, edit_mode }, planned, around) };
  },

  async run({ resolved, change, diff, target }: Plan, { host, reads, call }) {
    const { shown, real } = resolved;
    const outcome = await host.edits.apply({ label: `Edit ${shown}`, call, changes: [change] });
    if (!outcome.ok) return { text: outcome.reason, failed: true };
    const [edited] = outcome.files;
    const known = reads.get(real);
    if (known && edited?.after) reads.set(real, { ...known, version: edited.after.version });
    const unsaved = edited?.isSaved === false ? ` ${edited.unsavedBecause ?? 'It is not saved yet.'}` : '';
    return {
      text: `${target.deed} of ${shown} (+${diff.added} −${diff.removed}).${unsaved}`,
      display: { kind: 'diff', files: [diff] },
    };
  },
});

/** What a cell’s change is planned over. */
interface Around {
  readonly resolved: ResolvedPath;
  readonly file: TextFile;
  readonly notebook: Notebook;
  /** Of a new cell. */
  readonly id: string | undefined;
}

async function planCall(
  input: Input,
  { resolved, file, notebook, id }: Around,
): Promise<Plan | { readonly objection: string }> {
  const { path, real, shown } = resolved;
  const target = planCell(input, notebook, id);
  if ('objection' in target) return target;
  const { cell, before, after } = target;
  const { spliceCell } = await import('../core/files/notebookEdit');
  const splice = spliceCell(file.text, cell);
  if (!splice) return { objection: `${shown} is not written as its format says. Use edit on its JSON.` };
  if (applySplices(file.text, [splice]) === file.text) {
    return { objection: 'Nothing would change: the cell is like that already.' };
  }
  const change = { kind: 'edit', path, real, baseVersion: file.version, splices: [splice], cell } as const;
  const diff = diffTexts(before, after, { path: pathForDisplay(resolved), change: 'edited' });
  return { resolved, change, diff, target };
}

function preparedOf(plan: Plan): PreparedCall<Plan> {
  const { resolved, diff } = plan;
  return { targets: [{ op: 'write', path: resolved.path }], preview: { kind: 'diff', files: [diff] }, plan };
}

/** Of the cell alone: nobody wants to read the JSON around it. Over the same text, so that what has changed since is refused. */
function proposalOf(input: Input, { resolved, target }: Plan, around: Around): Changeable<Plan> {
  const { before, after, number, language } = target;
  const path = `${pathForDisplay(resolved)}/cell-${number}${ENDINGS[language] ?? `.${language}`}`;
  const amend = async (text: string): Promise<Amended<Plan>> => {
    const changed = { ...input, new_source: text };
    const plan = await planCall(changed, around);
    if ('objection' in plan) return { objection: `They left ${resolved.shown} as it is.` };
    const remark = changedText(`cell ${number} of ${resolved.shown}`, after, plan.target.after);
    return { ...preparedOf(plan), input: changed, remark };
  };
  return { kind: 'file', path, text: after, before, amend };
}

/** Of the languages that are not called like their files. */
const ENDINGS: Readonly<Record<string, string>> = {
  python: '.py',
  markdown: '.md',
  raw: '.txt',
  text: '.txt',
  javascript: '.js',
  typescript: '.ts',
  julia: '.jl',
  csharp: '.cs',
  rust: '.rs',
};

function refuseSenseless({ edit_mode = 'replace', cell_id, new_source, cell_type }: Input): string | undefined {
  if (edit_mode !== 'insert' && cell_id === undefined) return `To ${edit_mode} a cell name it by cell_id.`;
  if (edit_mode === 'delete' || new_source !== undefined) return undefined;
  if (edit_mode === 'replace' && cell_type !== undefined) return undefined;
  return `To ${edit_mode} a cell give new_source. To take a cell away set edit_mode to delete.`;
}

interface PlannedCell {
  readonly cell: CellChange;
  readonly before: string;
  readonly after: string;
  /** From 1, as it will be. */
  readonly number: number;
  readonly language: string;
  /** "Replaced cell 3 (abc)". */
  readonly deed: string;
}

function planCell(
  { edit_mode = 'replace', cell_id, new_source, cell_type }: Input,
  notebook: Notebook,
  id: string | undefined,
): PlannedCell | { readonly objection: string } {
  const old = cell_id === undefined ? undefined : findCell(notebook, cell_id);
  if (cell_id !== undefined && !old) return { objection: noCell(cell_id, notebook) };
  if (edit_mode === 'insert') {
    const index = old ? old.number : 0;
    const cell = cellOf(cell_type ?? 'code', new_source ?? '', notebook, id);
    const deed = `Inserted cell ${index + 1} (${id ?? `#${index + 1}`})`;
    const { source: after, language } = cell;
    return { cell: { kind: 'insert', index, cell }, before: '', after, number: index + 1, language, deed };
  }
  if (!old) throw new Error('A cell that is needed was not asked for');
  const index = old.number - 1;
  const { source: before, number } = old;
  if (edit_mode === 'delete') {
    const deed = `Deleted cell ${number} (${old.name})`;
    return { cell: { kind: 'remove', index }, before, after: '', number, language: old.language, deed };
  }
  const after = inItsLineEndings(new_source ?? before);
  const deed = `Replaced cell ${number} (${old.name})`;
  if (cell_type === undefined || cell_type === old.type) {
    return { cell: { kind: 'source', index, source: after }, before, after, number, language: old.language, deed };
  }
  const cell = cellOf(cell_type, after, notebook, undefined);
  const { language } = cell;
  return { cell: { kind: 'type', index, cell }, before, after, number, language, deed: `${deed}, now ${cell_type},` };
}

function cellOf(type: CellType, source: string, { language }: Notebook, id: string | undefined): NewCell {
  const languages: Readonly<Record<CellType, string>> = { code: language, markdown: 'markdown', raw: 'raw' };
  return { type, language: languages[type], source: inItsLineEndings(source), ...(id === undefined ? {} : { id }) };
}

/** Sources have `\n` only, whatever the file around them has. */
function inItsLineEndings(source: string): string {
  return source.replaceAll('\r\n', '\n');
}

/** The format has ids from 4.5 on. */
function hasIds(text: string): boolean {
  return Number(/"nbformat_minor"\s*:\s*(\d+)/.exec(text)?.[1] ?? 0) >= 5;
}

function newId(unique: string): string {
  return unique.replace(/[^\w-]/g, '').slice(0, 64);
}

const LISTED_MAX = 30;

function noCell(name: string, { cells }: Notebook): string {
  const names = cells.slice(0, LISTED_MAX).map((cell: NotebookCell) => cell.name);
  const more = cells.length > names.length ? ` and ${cells.length - names.length} more` : '';
  return cells.length === 0
    ? 'The notebook has no cells. Insert one without cell_id.'
    : `There is no cell ${JSON.stringify(name)}. There are: ${names.join(', ')}${more}.`;
}

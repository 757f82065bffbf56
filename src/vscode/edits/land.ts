// The second half of an edit in the editor: what was staged takes effect in buffers and on disk, and can be taken back.
import * as vscode from 'vscode';
import { difference, rebased, smallest } from '../../core/edit/splices';
import type { EditOutcome, EditPlan, Edits, FileChange } from '../../core/host';
import { createFiles } from '../../node/files';
import { changed, type Refusal, type Staged } from './stage';
import { toUri } from '../uris';

const diskFiles = createFiles();

/** Takes one change back; rejects with what went wrong. */
export type Step = () => Promise<void>;

export async function applyToEditor(
  plan: EditPlan,
  staged: readonly Staged[],
  undo: Step[],
): Promise<Refusal | undefined> {
  if (staged.length === 0) return undefined;
  const edit = new vscode.WorkspaceEdit();
  for (const one of staged) addToEdit(edit, one, plan.label);
  const landed = watchLanding(staged);
  try {
    // From this look at the buffers to applyEdit nothing is awaited, and the editor itself refuses an edit of an older version.
    const moved = staged.find(
      ({ document, before }) => document && before !== undefined && document.getText() !== before,
    );
    if (moved) return changed(moved.change.path);
    if (!(await vscode.workspace.applyEdit(edit))) return refusedByEditor();
    const astray = staged.filter((one) => !landed.has(one) && !isAsPlanned(one));
    for (const one of staged) undo.push(() => reverse(one, astray.includes(one) ? textOf(one) : one.expected));
    const [first] = astray;
    return first && { refusal: `The editor made another text of ${first.change.path} than was planned.` };
  } finally {
    landed.dispose();
  }
}

function refusedByEditor(): Refusal {
  return {
    refusal: 'The editor refused the change: a file was changed at the same moment, or is read-only. Read it again.',
  };
}

function addToEdit(
  edit: vscode.WorkspaceEdit,
  { change, uri, document, before, contents }: Staged,
  label: string,
): void {
  const metadata = { label, needsConfirmation: false };
  if (change.kind === 'create') edit.createFile(uri, { ...(contents && { contents }) }, metadata);
  if (change.kind === 'delete') edit.deleteFile(uri, {}, metadata);
  if (change.kind === 'move') edit.renameFile(uri, toUri(change.to), {}, metadata);
  if (change.kind !== 'edit' || !document || before === undefined) return;
  for (const { start, end, text } of change.splices.map((one) => smallest(one, before))) {
    edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text, metadata);
  }
}

/** Which documents have had the planned text, if only for the moment until the person typed on. */
function watchLanding(staged: readonly Staged[]): { has(one: Staged): boolean; dispose(): void } {
  const landed = new Set<Staged>();
  const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    const one = staged.find((each) => each.document === document);
    if (one && isAsPlanned(one)) landed.add(one);
  });
  return { has: (one) => landed.has(one), dispose: () => void listener.dispose() };
}

function isAsPlanned({ document, expected, change }: Staged): boolean {
  return change.kind !== 'edit' || document?.getText() === expected;
}

function textOf({ document }: Staged): string | undefined {
  return document?.getText();
}

/**
 * Puts one change back as it was, through the editor, so that the buffer and the disk agree again. What the person has typed into
 * `landed` since stays.
 */
async function reverse({ change, uri, document, before, bytes, wasDirty }: Staged, landed?: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  if (change.kind === 'create') edit.deleteFile(uri, { ignoreIfNotExists: true });
  if (change.kind === 'move') edit.renameFile(toUri(change.to), uri);
  if (change.kind === 'delete' && bytes) edit.createFile(uri, { contents: bytes });
  if (change.kind === 'edit' && document && before !== undefined && landed !== undefined) {
    const back = rebased(difference(landed, before), landed, document.getText());
    if (!back) throw new Error(`${change.path} was typed into where it had been edited`);
    const range = new vscode.Range(document.positionAt(back.start), document.positionAt(back.end));
    edit.replace(document.uri, range, back.text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${change.path} could not be put back`);
  if (change.kind === 'edit' && document && !wasDirty && document.getText() === before) await document.save();
}

export async function applyToDisk(
  plan: EditPlan,
  staged: readonly Staged[],
  disk: Edits,
  undo: Step[],
): Promise<Refusal | undefined> {
  if (staged.length === 0) return undefined;
  const changes = staged.map(({ change, version }) => withVersion(change, version));
  const outcome = await disk.apply({ ...plan, changes });
  if (!outcome.ok) return refusalOnDisk(outcome);
  for (const one of staged) undo.push(() => putBack(plan, one, disk));
  return undefined;
}

/** Whether nothing was changed is said at the end, of the whole plan. */
export function refusalOnDisk({ reason }: EditOutcome & { readonly ok: false }): Refusal {
  return { refusal: reason.replace(/ Nothing was changed\.$/, '') };
}

/** The writer on disk names contents by their bytes, the editor by their text. */
function withVersion(change: FileChange, version: string | undefined): FileChange {
  return change.kind === 'create' || version === undefined ? change : { ...change, baseVersion: version };
}

export async function putBack({ label, call }: EditPlan, { change, bytes, isNew }: Staged, disk: Edits): Promise<void> {
  const { path } = change;
  const now = await diskFiles.version(path);
  if (typeof now !== 'string') throw new Error(now.message);
  const back: FileChange | undefined = isNew
    ? { kind: 'delete', path, baseVersion: now }
    : bytes && { kind: 'put', path, bytes, baseVersion: now };
  const outcome = back && (await disk.apply({ label, call, changes: [back] }));
  if (outcome?.ok === false) throw new Error(outcome.reason);
}

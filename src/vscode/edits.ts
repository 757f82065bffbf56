// The Edits port on the editor: the only writer of workspace files. One WorkspaceEdit, one undo step, all or nothing.
import * as vscode from 'vscode';
import type { EditedFile, EditOutcome, EditPlan, Edits, FileChange, Files, Path } from '../core/host';
import { isProblem } from '../core/host';
import { createEdits as createDiskEdits } from '../node/edits';
import { findDocument } from './documents';
import { addToEdit, changed, EDITOR_MAX_BYTES, isRefusal, stageChange, type Refusal, type Staged } from './stage';

export interface EditsParts {
  readonly files: Files;
  readonly maxBytes: () => number;
  /** Told of each change of a text that took effect; `before` is empty for a new file. */
  onEdited(call: string, path: Path, sides: { readonly before: string; readonly after: string }): void;
}

export interface EditorEdits extends Edits {
  /** Saves what `apply` had to leave unsaved among the person's own changes. What cannot be saved stays as it is. */
  save(): Promise<void>;
}

export function editorEdits(parts: EditsParts): EditorEdits {
  const disk = createDiskEdits({ maxBytes: parts.maxBytes });
  const unsaved = new Set<vscode.TextDocument>();
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const outcome = last.then(step);
    last = outcome;
    return outcome;
  };
  return {
    apply: (plan) => inTurn(() => applyPlan(plan, parts, { disk, unsaved })),
    save: () => inTurn(() => saveDocuments(unsaved)),
  };
}

/** Empties the set. */
async function saveDocuments(unsaved: Set<vscode.TextDocument>): Promise<void> {
  const documents = [...unsaved];
  unsaved.clear();
  for (const document of documents) {
    if (document.isDirty && !document.isClosed) await document.save().then(undefined, () => false);
  }
}

interface Applying {
  readonly disk: Edits;
  /** Gets the documents that stay unsaved. */
  readonly unsaved: Set<vscode.TextDocument>;
}

async function applyPlan(plan: EditPlan, parts: EditsParts, { disk, unsaved }: Applying): Promise<EditOutcome> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const staged: Staged[] = [];
    for (const change of plan.changes) {
      const prepared = await stageChange(change, parts.files, parts.maxBytes());
      if (isRefusal(prepared)) return { ok: false, reason: prepared.refusal };
      staged.push(prepared);
    }
    if (new Set(plan.changes.map(({ path }) => path)).size < plan.changes.length) {
      return { ok: false, reason: 'One file is changed twice in one plan. Put its changes into one.' };
    }
    await plan.ready;
    const refusal =
      (await applyInEditor(
        plan,
        staged.filter(({ where }) => where === 'editor'),
        undo,
      )) ??
      (await applyOnDisk(
        plan,
        staged.filter(({ where }) => where === 'disk'),
        disk,
        undo,
      )) ??
      (await saveAll(staged));
    if (refusal) return { ok: false, reason: await takeBack(undo, refusal) };
    const files = await Promise.all(staged.map((one) => outcomeOf(one, parts.files, parts.maxBytes())));
    for (const one of staged) {
      if (one.change.kind === 'edit' && one.document?.isDirty) unsaved.add(one.document);
      if (one.expected !== undefined) {
        parts.onEdited(plan.call, one.change.path, { before: one.before ?? '', after: one.expected });
      }
    }
    return { ok: true, files };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: await takeBack(undo, { refusal: reason }) };
  }
}

async function applyInEditor(
  plan: EditPlan,
  staged: readonly Staged[],
  undo: (() => Promise<unknown>)[],
): Promise<Refusal | undefined> {
  if (staged.length === 0) return undefined;
  const edit = new vscode.WorkspaceEdit();
  for (const one of staged) addToEdit(edit, one, plan.label);
  // From this look at the buffers to applyEdit nothing is awaited, and the editor itself refuses an edit of an older version.
  const moved = staged.find(
    ({ document, before }) => document && before !== undefined && document.getText() !== before,
  );
  if (moved) return changed(moved.change.path);
  if (!(await vscode.workspace.applyEdit(edit))) {
    return {
      refusal: 'The editor refused the change: a file was changed at the same moment, or is read-only. Read it again.',
    };
  }
  for (const one of staged) undo.push(() => reverse(one));
  return undefined;
}

async function applyOnDisk(
  plan: EditPlan,
  staged: readonly Staged[],
  disk: Edits,
  undo: (() => Promise<unknown>)[],
): Promise<Refusal | undefined> {
  if (staged.length === 0) return undefined;
  const outcome = await disk.apply({
    ...plan,
    changes: staged.map(({ change, version }) => withVersion(change, version)),
  });
  if (!outcome.ok) return { refusal: outcome.reason };
  for (const { change, before } of staged) {
    const after = outcome.files.find(({ path }) => path === change.path)?.after;
    if (before === undefined || !after) continue;
    const whole = { start: 0, end: after.text.length, text: before };
    undo.push(() =>
      disk.apply({
        ...plan,
        changes: [{ kind: 'edit', path: change.path, baseVersion: after.version, splices: [whole] }],
      }),
    );
  }
  return undefined;
}

function withVersion(change: FileChange, version: string | undefined): FileChange {
  return change.kind === 'create' || version === undefined ? change : { ...change, baseVersion: version };
}

/** What was clean before is saved; what held unsaved changes of the person's stays unsaved. */
async function saveAll(staged: readonly Staged[]): Promise<Refusal | undefined> {
  for (const { document, wasDirty, change, expected } of staged) {
    if (!document || wasDirty || change.kind !== 'edit') continue;
    // The person typed in that very moment: what they typed is theirs to save.
    if (document.getText() !== expected) continue;
    const problem = await document.save().then(
      (isSaved) => (isSaved || !document.isDirty ? undefined : 'the editor could not save it'),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem !== undefined) return { refusal: `${change.path} could not be saved: ${problem}.` };
  }
  return undefined;
}

async function outcomeOf({ change, expected, document }: Staged, files: Files, maxBytes: number): Promise<EditedFile> {
  const isSaved = document ? !document.isDirty : true;
  if (change.kind === 'delete') return { path: change.path, isSaved: true, wasReformatted: false };
  const path = change.kind === 'move' ? change.to : change.path;
  const after = await files.text(path, Math.max(maxBytes, EDITOR_MAX_BYTES));
  if (isProblem(after)) return { path, isSaved, wasReformatted: false };
  return { path, after, isSaved, wasReformatted: expected !== undefined && after.text !== expected };
}

/** Puts one change back as it was, through the editor, so that the buffer and the disk agree again. */
async function reverse({ change, uri, document, before, wasDirty }: Staged): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  if (change.kind === 'create') edit.deleteFile(uri, { ignoreIfNotExists: true });
  if (change.kind === 'move') {
    const { uri: moved } = (await findDocument(change.to)) ?? { uri: vscode.Uri.file(change.to) };
    edit.renameFile(moved, uri);
  }
  if (change.kind === 'delete' && before !== undefined) {
    edit.createFile(uri, { contents: await vscode.workspace.encode(before, { uri }) });
  }
  if (change.kind === 'edit' && document && before !== undefined) {
    const end = document.positionAt(document.getText().length);
    edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), before);
  }
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${change.path} could not be put back`);
  if (change.kind === 'edit' && document && !wasDirty) await document.save();
}

/** Says so when even that fails, since then the person must know. */
async function takeBack(undo: (() => Promise<unknown>)[], { refusal }: Refusal): Promise<string> {
  const faults: string[] = [];
  for (const step of undo.reverse()) {
    await step().catch((error: unknown) => faults.push(error instanceof Error ? error.message : String(error)));
  }
  if (faults.length === 0) return `${refusal} Nothing was changed.`;
  return `${refusal} Taking back the changes made so far failed too: ${faults.join('; ')}.`;
}

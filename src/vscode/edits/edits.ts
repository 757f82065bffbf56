// The Edits port on the editor: the only writer of workspace files. One WorkspaceEdit, one undo step, all or nothing.
import type * as vscode from 'vscode';
import { messageOf } from '../../common/errors';
import type { Settings } from '../../common/settings';
import type { EditedFile, EditOrigin, EditOutcome, EditPlan, Edits, Files, Path } from '../../core/host';
import { isProblem } from '../../core/host';
import { createEdits as createDiskEdits } from '../../node/edits';
import { followsDisk } from '../files/documents';
import { follow } from './follow';
import { applyToBuffers } from './buffers';
import { applyToCells, stageCell } from './cells';
import { applyToNotebooks } from './notebookBytes';
import { applyToDisk, applyToEditor, type Step } from './land';
import { createSaver, type Saver } from './save';
import { EDITOR_MAX_BYTES, isRefusal, refuseAstray, stageChange, type Refusal, type Staged } from './stage';

/** One file as a plan changed it, everything that ran on save included. */
export interface AppliedChange {
  readonly call: string;
  /** Absent: the person's own doing, such as a restore or an undo. */
  readonly origin?: EditOrigin;
  /** As the plan names it. */
  readonly path: Path;
  readonly change: 'created' | 'edited' | 'deleted' | 'moved';
  readonly movedTo?: Path;
  /** Text before and after; undefined: no file was or is there, or it is no text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** False for what was or is no text: a picture, what is too large. */
  readonly isText: boolean;
}

export interface EditsParts {
  readonly files: Files;
  readonly settings: Settings;
  readonly onApplied: (change: AppliedChange) => void;
  /** How long what runs on save may take, in milliseconds. */
  readonly saveLimitMs?: number;
}

export interface EditorEdits extends Edits {
  /** Saves what `apply` left unsaved. What cannot be saved stays as it is. */
  save(): Promise<void>;
  /** True while a plan changes this document or saves it: what happens to its text meanwhile is not the person's typing. */
  isChanging(document: vscode.TextDocument): boolean;
}

interface Window {
  readonly parts: EditsParts;
  readonly disk: Edits;
  readonly saver: Saver;
  readonly changing: Set<vscode.TextDocument>;
}

export function editorEdits(parts: EditsParts): EditorEdits {
  const changing = new Set<vscode.TextDocument>();
  const window: Window = {
    parts,
    changing,
    disk: createDiskEdits({ maxBytes: () => parts.settings.get('files.maxEditBytes') }),
    saver: createSaver(parts, changing),
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const outcome = last.then(step);
    last = outcome;
    return outcome;
  };
  return {
    apply: (plan) => inTurn(() => applyPlan(plan, window)),
    save: () => inTurn(() => window.saver.saveLeft()),
    isChanging: (document) => changing.has(document),
  };
}

async function applyPlan(plan: EditPlan, window: Window): Promise<EditOutcome> {
  const { parts, changing } = window;
  const undo: Step[] = [];
  const staged: Staged[] = [];
  try {
    if (new Set(plan.changes.map(({ path }) => path)).size < plan.changes.length) {
      return refuse('One file is changed twice in one plan. Put its changes into one.');
    }
    const limits = { maxBytes: parts.settings.get('files.maxEditBytes'), isAlone: plan.changes.length === 1 };
    for (const change of plan.changes) {
      const prepared =
        (await stageCell(change, parts.files, limits.maxBytes)) ?? (await stageChange(change, parts.files, limits));
      if (isRefusal(prepared)) return refuse(prepared.refusal);
      staged.push(prepared);
      if (prepared.document) changing.add(prepared.document);
    }
    await plan.ready;
    const refusal = (await anyAstray(plan, parts.files)) ?? (await land(plan, staged, window, undo));
    if (refusal) return refuse(await takeBack(undo, refusal));
    const files = await Promise.all(staged.map((one) => outcomeOf(one, window)));
    files.forEach((file, at) => tell(plan, staged[at], file, parts));
    if (plan.origin && parts.settings.get('edits.follow')) await follow(staged, files);
    return { ok: true, files };
  } catch (error) {
    return refuse(await takeBack(undo, { refusal: messageOf(error) }));
  } finally {
    for (const { document } of staged) if (document) changing.delete(document);
  }
}

async function anyAstray({ changes }: EditPlan, files: Files): Promise<Refusal | undefined> {
  const refusals = await Promise.all(changes.map((change) => refuseAstray(change, files)));
  return refusals.find((refusal) => refusal !== undefined);
}

function refuse(reason: string): EditOutcome {
  return { ok: false, reason };
}

/** The editor’s buffers first, since they can be taken back without a trace, then the disk; saving is the last that can fail. */
async function land(
  plan: EditPlan,
  staged: readonly Staged[],
  { disk, saver }: Window,
  undo: Step[],
): Promise<Refusal | undefined> {
  const inEditor = staged.filter(({ where }) => where === 'editor');
  const onDisk = staged.filter(({ where }) => where === 'disk');
  const inBuffer = staged.filter(({ where }) => where === 'buffer');
  const inNotebook = staged.filter(({ where }) => where === 'notebook');
  const inCells = staged.filter(({ where }) => where === 'cells');
  return (
    (await applyToEditor(plan, inEditor, undo)) ??
    (await applyToDisk(plan, onDisk, disk, undo)) ??
    (await applyToBuffers(plan, inBuffer, disk, undo)) ??
    (await applyToNotebooks(plan, inNotebook, disk, undo)) ??
    (await applyToCells(inCells, undo)) ??
    (await saver.saveCells(callOf(plan), inCells)) ??
    (await saver.saveEdited(callOf(plan), inEditor))
  );
}

function callOf({ call, origin }: EditPlan): Pick<AppliedChange, 'call' | 'origin'> {
  return { call, ...(origin && { origin }) };
}

async function outcomeOf(one: Staged, { parts, saver }: Window): Promise<EditedFile> {
  const { change, expected, document, wouldTrash } = one;
  if (change.kind === 'delete') {
    return { path: change.path, isSaved: true, wasReformatted: false, ...(wouldTrash && { isInTrash: true }) };
  }
  const path = change.kind === 'move' ? change.to : change.path;
  const maxBytes = Math.max(parts.settings.get('files.maxEditBytes'), EDITOR_MAX_BYTES);
  const after = await parts.files.text(path, maxBytes);
  // An open document follows what was written on disk a moment later; until then the change is not over.
  if (one.where === 'disk' && document && !isProblem(after)) await followsDisk(document, after.text);
  if (isProblem(after)) return { path, isSaved: true, wasReformatted: false };
  const saved = {
    isSaved: !after.isDirty,
    ...(after.isDirty && { unsavedBecause: saver.whyUnsaved(one.cell?.notebook ?? document) }),
  };
  return { path, after, ...saved, wasReformatted: expected !== undefined && after.text !== expected };
}

const CHANGES = { create: 'created', edit: 'edited', delete: 'deleted', move: 'moved' } as const;

function tell(plan: EditPlan, staged: Staged | undefined, { after }: EditedFile, parts: EditsParts): void {
  if (!staged) return;
  const { change, before, isNew } = staged;
  const isDeleted = change.kind === 'delete';
  parts.onApplied({
    ...callOf(plan),
    path: change.path,
    change: change.kind === 'put' ? (isNew ? 'created' : 'edited') : CHANGES[change.kind],
    ...(change.kind === 'move' && { movedTo: change.to }),
    before,
    after: isDeleted ? undefined : after?.text,
    isText: (isNew || before !== undefined) && (isDeleted || after !== undefined),
  });
}

/** Says so when even that fails, since then the person must know. */
async function takeBack(undo: Step[], { refusal }: Refusal): Promise<string> {
  const faults: string[] = [];
  for (const step of undo.reverse()) await step().catch((error: unknown) => faults.push(messageOf(error)));
  if (faults.length === 0) return `${refusal} Nothing was changed.`;
  return `${refusal} Taking back the changes made so far failed too: ${faults.join('; ')}.`;
}

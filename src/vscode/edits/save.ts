// When edited documents are saved: at once by the person's setting, else before the next command. What runs on save may hang.
import type * as vscode from 'vscode';
import { messageOf } from '../../common/errors';
import { isProblem, type Path } from '../../core/host';
import { comesToRest } from './cells';
import type { AppliedChange, EditsParts } from './edits';
import { EDITOR_TEXT_BYTES } from '../files/files';
import type { Refusal, Staged } from './stage';

/** A formatter that takes longer is not waited for. */
const SAVE_LIMIT_MS = 10_000;

export interface Saver {
  /** Refuses when the editor could not write a file; what only takes too long stays in the editor. */
  saveEdited(call: Call, staged: readonly Staged[]): Promise<Refusal | undefined>;
  /** The same of open notebooks. */
  saveCells(call: Call, staged: readonly Staged[]): Promise<Refusal | undefined>;
  /** Saves what was left unsaved, and tells what that did to the texts. */
  saveLeft(): Promise<void>;
  /** Why what an applied change is in was left dirty, as a sentence for the model. */
  whyUnsaved(edited: Saveable | undefined): string;
}

/** Whose edits they are. */
type Call = Pick<AppliedChange, 'call' | 'origin'>;

type Saveable = vscode.TextDocument | vscode.NotebookDocument;

/** `slow`: something that runs on save goes on. */
type Saved = 'saved' | 'slow' | { readonly problem: string };

const UNTIL = 'it is changed in the editor and saved only before the next command runs.';
const DIRTY = `The file had unsaved changes of the person, so ${UNTIL}`;
const TYPING = `The person has typed in the file at the same moment, so ${UNTIL}`;
const NEVER = `The person saves files themselves, so ${UNTIL}`;
const SLOW =
  'Something that the editor runs on save (a formatter, a code action) has not ended yet: the change is in the editor, but not on disk.';

/** Held state: the documents and notebooks that were left unsaved. */
export function createSaver(
  { files, settings, onApplied, saveLimitMs = SAVE_LIMIT_MS }: EditsParts,
  changing: Set<vscode.TextDocument>,
): Saver {
  const left = new Map<Saveable, Call & Pick<AppliedChange, 'path'>>();
  const reasons = new WeakMap<Saveable, string>();

  function whyNot({ document, wasDirty, expected }: Staged): string | undefined {
    const policy = settings.get('edits.save');
    if (policy === 'always') return undefined;
    if (policy === 'never') return NEVER;
    if (wasDirty) return DIRTY;
    // What they typed is theirs to save.
    return document?.getText() === expected ? undefined : TYPING;
  }

  async function saveOne(call: Call, one: Staged, edited: Saveable): Promise<Refusal | undefined> {
    const { path } = one.change;
    let reason = whyNot(one);
    if (reason === undefined) {
      const { version } = edited;
      const saved = await saveDocument(edited, saveLimitMs);
      // The editor gives up a save that the person types into.
      if (typeof saved === 'object' && edited.version !== version) reason = TYPING;
      else if (typeof saved === 'object') return { refusal: `${path} could not be saved: ${saved.problem}.` };
    }
    reasons.set(edited, reason ?? SLOW);
    if (edited.isDirty) left.set(edited, { ...call, path });
    return undefined;
  }

  /** Where a notebook is saved, its own serializer writes all of it anew. */
  async function textOf(edited: Saveable, path: Path): Promise<string | undefined> {
    if ('getText' in edited) return edited.getText();
    const file = await files.text(path, EDITOR_TEXT_BYTES);
    return isProblem(file) ? undefined : file.text;
  }

  async function saveAgain(edited: Saveable, call: Call & Pick<AppliedChange, 'path'>): Promise<void> {
    const before = await textOf(edited, call.path);
    const document = 'getText' in edited ? edited : undefined;
    if (document) changing.add(document);
    await saveDocument(edited, saveLimitMs);
    if (document) changing.delete(document);
    const after = await textOf(edited, call.path);
    if (after === before || before === undefined || after === undefined) return;
    onApplied({ ...call, change: 'edited', before, after, isText: true });
  }

  return {
    async saveEdited(call, staged) {
      const refusals = await Promise.all(
        staged.map((one) =>
          one.change.kind === 'edit' && one.document ? saveOne(call, one, one.document) : Promise.resolve(undefined),
        ),
      );
      return refusals.find((refusal) => refusal !== undefined);
    },

    async saveCells(call, staged) {
      for (const one of staged) {
        const notebook = one.cell?.notebook;
        const refusal = notebook && (await saveOne(call, one, notebook));
        if (refusal) return refusal;
        if (notebook?.isDirty) await comesToRest(notebook);
      }
      return undefined;
    },

    async saveLeft() {
      const all = [...left];
      left.clear();
      for (const [edited, call] of all) {
        if (edited.isDirty && !edited.isClosed) await saveAgain(edited, call);
      }
    },

    whyUnsaved: (edited) => (edited && reasons.get(edited)) ?? DIRTY,
  };
}

/** Never rejects. */
export async function saveDocument(document: Saveable, limitMs = SAVE_LIMIT_MS): Promise<Saved> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<Saved>((resolve) => {
    timer = setTimeout(() => resolve('slow'), limitMs);
  });
  const saving = document.save().then(
    (isSaved): Saved => (isSaved || !document.isDirty ? 'saved' : { problem: 'the editor could not write it' }),
    (error: unknown): Saved => ({ problem: messageOf(error) }),
  );
  const saved = await Promise.race([saving, slow]);
  clearTimeout(timer);
  return saved;
}

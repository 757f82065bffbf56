// When edited documents are saved: at once by the person's setting, else before the next command. What runs on save may hang.
import type * as vscode from 'vscode';
import { messageOf } from '../node/files';
import type { AppliedChange, EditsParts } from './edits';
import type { Refusal, Staged } from './stage';

/** A formatter that takes longer is not waited for. */
const SAVE_LIMIT_MS = 10_000;

export interface Saver {
  /** Refuses when the editor could not write a file; what only takes too long stays in the editor. */
  saveEdited(call: Call, staged: readonly Staged[]): Promise<Refusal | undefined>;
  /** Saves what was left unsaved, and tells what that did to the texts. */
  saveLeft(): Promise<void>;
  /** Why the document of an applied change was left dirty, as a sentence for the model. */
  whyUnsaved(document: vscode.TextDocument | undefined): string;
}

/** Whose edits they are. */
type Call = Pick<AppliedChange, 'call' | 'origin'>;

/** `slow`: something that runs on save goes on. */
type Saved = 'saved' | 'slow' | { readonly problem: string };

const UNTIL = 'it is changed in the editor and saved only before the next command runs.';
const DIRTY = `The file had unsaved changes of the person, so ${UNTIL}`;
const TYPING = `The person has typed in the file at the same moment, so ${UNTIL}`;
const NEVER = `The person saves files themselves, so ${UNTIL}`;
const SLOW =
  'Something that the editor runs on save (a formatter, a code action) has not ended yet: the change is in the editor, but not on disk.';

/** Held state: the documents that were left unsaved. */
export function createSaver(
  { settings, onApplied, saveLimitMs = SAVE_LIMIT_MS }: EditsParts,
  changing: Set<vscode.TextDocument>,
): Saver {
  const left = new Map<vscode.TextDocument, Call & Pick<AppliedChange, 'path'>>();
  const reasons = new WeakMap<vscode.TextDocument, string>();

  function whyNot({ document, wasDirty, expected }: Staged): string | undefined {
    const policy = settings.get('edits.save');
    if (policy === 'always') return undefined;
    if (policy === 'never') return NEVER;
    if (wasDirty) return DIRTY;
    // What they typed is theirs to save.
    return document?.getText() === expected ? undefined : TYPING;
  }

  async function saveOne(one: Staged, document: vscode.TextDocument): Promise<Refusal | undefined> {
    const reason = whyNot(one);
    if (reason === undefined) {
      const saved = await saveDocument(document, saveLimitMs);
      if (typeof saved === 'object') return { refusal: `${one.change.path} could not be saved: ${saved.problem}.` };
    }
    reasons.set(document, reason ?? SLOW);
    return undefined;
  }

  return {
    async saveEdited(call, staged) {
      const refusals = await Promise.all(
        staged.map(async (one) => {
          if (one.change.kind !== 'edit' || !one.document) return undefined;
          const refusal = await saveOne(one, one.document);
          if (!refusal && one.document.isDirty) left.set(one.document, { ...call, path: one.change.path });
          return refusal;
        }),
      );
      return refusals.find((refusal) => refusal !== undefined);
    },

    async saveLeft() {
      const documents = [...left];
      left.clear();
      for (const [document, call] of documents) {
        if (!document.isDirty || document.isClosed) continue;
        const before = document.getText();
        changing.add(document);
        await saveDocument(document, saveLimitMs);
        changing.delete(document);
        const after = document.getText();
        if (after !== before) onApplied({ ...call, change: 'edited', before, after, isText: true });
      }
    },

    whyUnsaved: (document) => (document && reasons.get(document)) ?? DIRTY,
  };
}

/** Never rejects. */
export async function saveDocument(document: vscode.TextDocument, limitMs = SAVE_LIMIT_MS): Promise<Saved> {
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

// The Snapshots port in the editor: what is saved in it is not the work of a command that runs meanwhile.
import * as vscode from 'vscode';
import type { Snapshots } from '../../core/checkpoint/types';
import { toPath } from '../uris';

export interface EditorSnapshots extends Snapshots {
  /** What a command changed is not known, or not told to the window yet; one in the background counts from its end only. */
  isWaiting(): boolean;
  /** The window knows what the latest comparison has found. */
  told(): void;
}

/** A save that fails has no event of its own: it is waited for no longer than this. */
const SAVE_LIMIT_MS = 2_000;

/** The implementation is loaded by the first command that may change files. `saveEdits` saves the agent's own edits. */
export function editorSnapshots(saveEdits: () => Promise<void>): EditorSnapshots {
  let waiting = 0;
  let loading: Promise<Snapshots> | undefined;
  const saves = new Set<Promise<void>>();
  const load = () =>
    (loading ??= import('../../node/snapshots').then(({ createSnapshots }) => {
      const snapshots = createSnapshots();
      // As long as the window: the host is never taken down before it. A save is known from before it reaches the disk,
      // since a command that was waiting for that very file may have ended before the save is told.
      vscode.workspace.onWillSaveTextDocument(({ document }) => {
        const save = saved(document).then(() => snapshots.refresh([toPath(document.uri)]));
        saves.add(save);
        void save.finally(() => saves.delete(save));
      });
      return snapshots;
    }));
  return {
    async take(roots, signal) {
      const [snapshots] = await Promise.all([load(), saveEdits()]);
      waiting++;
      const snapshot = await snapshots.take(roots, signal);
      let isWaiting = true;
      return {
        ...snapshot,
        goesOn() {
          if (isWaiting) waiting--;
          isWaiting = false;
        },
        async changes(until) {
          if (!isWaiting) waiting++;
          isWaiting = true;
          await Promise.all(saves);
          const changes = await snapshot.changes(until);
          if (changes.length === 0) waiting--;
          return changes;
        },
      };
    },
    refresh: async (paths) => (await loading)?.refresh(paths),
    isWaiting: () => waiting > 0,
    told: () => void waiting--,
  };
}

function saved(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(finish, SAVE_LIMIT_MS);
    const listener = vscode.workspace.onDidSaveTextDocument((one) => {
      if (one === document) finish();
    });
  });
}

// What a person has typed and not sent, per session; it survives a reload of the window.
import type * as vscode from 'vscode';

const KEY = 'drafts';
/** Sessions whose drafts are kept. */
const MAX_DRAFTS = 20;

export interface Drafts {
  /** Empty when there is none. */
  get(session: string): string;
  set(session: string, text: string): Promise<void>;
}

export function keptDrafts(memory: vscode.Memento): Drafts {
  const all = () => memory.get<Readonly<Record<string, string>>>(KEY, {});
  return {
    get: (session) => all()[session] ?? '',
    async set(session, text) {
      const others = Object.entries(all()).filter(([id]) => id !== session);
      const drafts = text === '' ? others : [...others, [session, text] as const];
      await memory.update(KEY, Object.fromEntries(drafts.slice(-MAX_DRAFTS)));
    },
  };
}

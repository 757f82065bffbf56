// Keeps what is typed and not sent: with the page at once, with the host a moment later.
import { effect } from '@preact/signals';
import type { Actions } from './actions';
import type { Channel } from './bridge';
import type { PanelStore } from './state';

const SAVE_MS = 400;

export function keepDraft(channel: Channel, store: PanelStore, actions: Actions): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved: { readonly sessionId: string; readonly draft: string } | undefined;

  const saveNow = () => {
    clearTimeout(timer);
    timer = undefined;
    actions.saveDraft(store.draft.peek());
  };

  effect(() => {
    const draft = store.draft.value;
    const sessionId = store.panel.value?.sessionId;
    if (sessionId === undefined || (saved?.sessionId === sessionId && saved.draft === draft)) return;
    const isTyped = saved?.sessionId === sessionId;
    saved = { sessionId, draft };
    channel.save(saved);
    // What the host has just told needs no way back.
    if (!isTyped) return;
    clearTimeout(timer);
    timer = setTimeout(saveNow, SAVE_MS);
  });

  document.addEventListener('visibilitychange', () => {
    if (document.hidden && timer !== undefined) saveNow();
  });
}

// Where the person writes. It draws apart from the transcript, so typing stays quick however long that is.
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../panel';
import { IconButton } from '../ui/controls';
import { ContextMeter } from './contextMeter';
import { ModePicker } from './modePicker';

/** What browsers report for a key that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;
const STILL_RUNNING = 'Lathe is still at work. Your text stays here: send it when this is done, or stop it first.';

export function Composer() {
  const { store, actions } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [isSending, setSending] = useState(false);
  const state = store.panel.value;
  const draft = store.draft.value;
  const isRunning = state?.running ?? false;

  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    if (current.value !== draft) current.value = draft;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight + current.offsetHeight - current.clientHeight}px`;
  }, [draft]);

  useSignalEffect(() => {
    if (store.focusRequests.value > 0) queueMicrotask(() => focusAtEnd(box.current));
  });

  const send = async () => {
    const text = store.draft.peek();
    if (text.trim() === '' || isSending) return;
    if (isRunning) {
      store.tellForNow(STILL_RUNNING);
      return;
    }
    setSending(true);
    const isTaken = await actions.sendPrompt(text);
    setSending(false);
    if (!isTaken) return;
    store.jumpRequests.value += 1;
    if (store.draft.peek() === text) store.draft.value = '';
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD) return;
    if (event.key === 'Escape' && isRunning) return actions.stop();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      class="composer"
      aria-label="Prompt"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="What Lathe should do"
        placeholder={
          isRunning ? 'Lathe is at work. What you type stays here…' : 'Ask Lathe to change, explain or run something'
        }
        spellcheck={false}
        onInput={({ currentTarget }) => {
          store.draft.value = currentTarget.value;
          store.moveOn();
        }}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        {state && <ModePicker mode={state.mode} />}
        {state && (
          <span class="model" title={`Model: ${state.model}`}>
            {state.model}
          </span>
        )}
        <span class="spring" />
        {state && <ContextMeter tokens={state.contextTokens} window={state.contextWindow} />}
        {isRunning ? (
          <IconButton class="send stop" icon="debug-stop" label="Stop (Esc)" onClick={() => actions.stop()} />
        ) : (
          <IconButton
            class="send"
            icon="arrow-up"
            label="Send (Enter)"
            disabled={draft.trim() === '' || isSending || !state?.hasWorkspace}
            onClick={() => void send()}
          />
        )}
      </div>
    </form>
  );
}

function focusAtEnd(box: HTMLTextAreaElement | null): void {
  if (!box) return;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

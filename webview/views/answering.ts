// Sends what a person answers in a card: once, and without losing the focus with the card.
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { AskAnswer } from '../../src/common/asks';
import { usePanel, useRemembered } from '../panel';

interface Answering {
  /** The card's own element. */
  readonly card: RefObject<HTMLDivElement | null>;
  /** It was sent, and the host has not refused it. */
  readonly isAnswered: boolean;
  readonly answer: (answer: AskAnswer) => Promise<void>;
  /** Allows what the person made of the proposal in an editor. */
  readonly applyProposal: (digest: string) => Promise<void>;
}

export function useAnswering(ask: string): Answering {
  const { store, actions } = usePanel();
  const card = useRef<HTMLDivElement>(null);
  const isAnswered = useRemembered(`answered ${ask}`, false);
  const send = async (request: () => Promise<boolean>) => {
    if (isAnswered.value) return;
    isAnswered.value = true;
    const hasFocus = card.current?.contains(document.activeElement) ?? false;
    const isTaken = await request();
    // The request failed, and the person can try again.
    if (!isTaken) isAnswered.value = false;
    // Else the focus would be lost with the card; from the composer the next one is a step back.
    if (isTaken && hasFocus) store.focusRequests.value++;
  };
  return {
    card,
    isAnswered: isAnswered.value,
    answer: (given) => send(() => actions.answerAsk(ask, given)),
    applyProposal: (digest) => send(() => actions.applyProposal(ask, digest)),
  };
}

// What a person can do in the panel: each action is one request, and what goes wrong is shown, never thrown.
import type { AskAnswer } from '../src/common/asks';
import type { Mode } from '../src/common/modes';
import {
  MESSAGE_MAX_CHARS,
  type AnswerOf,
  type RequestName,
  type RequestOf,
  type ReviewAction,
} from '../src/common/protocol';
import type { Channel } from './bridge';
import { isLong } from './rows';
import type { PanelStore } from './state';

/** Room for what surrounds a text in its message. */
const ENVELOPE_CHARS = 1024;

export interface Actions {
  /** True when the host took it; the text stays in the composer otherwise. */
  sendPrompt(text: string): Promise<boolean>;
  saveDraft(text: string): void;
  /** Tells that the person works in this panel now. */
  takeFocus(): void;
  stop(): void;
  answerAsk(ask: string, answer: AskAnswer): Promise<boolean>;
  /** Opens what a call proposes in an editor, to be changed; false when that did not work. */
  openProposal(ask: string): Promise<boolean>;
  /** Allows the call with the text that the editor holds. */
  applyProposal(ask: string, digest: string): Promise<boolean>;
  setMode(mode: Mode): void;
  openFile(path: string, line?: number): void;
  openDiff(call: string, path: string): Promise<void>;
  /** What is under review: one file, or all of it. */
  actOnReview(action: ReviewAction, path?: string): void;
  /** The host asks what to put back. */
  rewind(turn: string): void;
  /** That of a run in the background, else the session's. */
  showTerminal(call?: string): void;
  /** Ends one run and nothing else. */
  stopRun(call: string): void;
  /** Its call is answered, it goes on. */
  releaseRun(call: string): void;
  openLink(url: string): void;
  runCommand(command: string): void;
  loadOlder(): Promise<void>;
  /** Loads older rows until that one is here. False when there is none such in the conversation. */
  loadBackTo(row: string): Promise<boolean>;
  /** Fetches what is missing of a row's text, at most up to `maxChars` of it in all. */
  loadText(row: string, maxChars: number): Promise<void>;
  /** A piece of a call's whole output; undefined when it could not be read. */
  readOutput(call: string, offset: number): Promise<AnswerOf<'output/range'> | undefined>;
}

export function createActions(channel: Channel, store: PanelStore): Actions {
  const send = async <N extends Exclude<RequestName, 'panel/ready'>>(
    name: N,
    payload: Omit<RequestOf<N>, 'sessionId'>,
  ): Promise<AnswerOf<N> | undefined> => {
    const sessionId = store.panel.peek()?.sessionId;
    if (sessionId === undefined) return undefined;
    try {
      return await channel.request(name, { sessionId, ...payload });
    } catch (problem) {
      store.problem.value = problem instanceof Error ? problem.message : String(problem);
      return undefined;
    }
  };

  const busy = new Map<string, Promise<void>>();
  /** The same thing is asked for once at a time. */
  const once = (key: string, work: () => Promise<void>): Promise<void> => {
    const running = busy.get(key) ?? work().finally(() => busy.delete(key));
    busy.set(key, running);
    return running;
  };

  /** All pieces at once: each change of a text is parsed and drawn anew. */
  const loadMissing = async (id: string, maxChars: number): Promise<void> => {
    const start = store.row(id)?.peek();
    if (!isLong(start)) return;
    const from = start.text.length;
    let loaded = '';
    for (;;) {
      const row = store.row(id)?.peek();
      const offset = from + loaded.length;
      if (!isLong(row) || offset >= Math.min(row.chars, maxChars)) break;
      const piece = await send('row/text', { row: id, offset });
      if (!piece || piece.text === '') break;
      loaded += piece.text;
    }
    store.addPiece(id, from, loaded);
  };

  const loadOlder = () =>
    once('older', async () => {
      const row = store.order.peek().ids[0];
      if (row === undefined || !store.hasMore.peek()) return;
      const session = store.panel.peek()?.sessionId;
      const page = await send('rows/before', { row });
      if (page && session === store.panel.peek()?.sessionId) store.addOlder(page);
    });

  const isTaken = (answer: AnswerOf<'ask/answer'> | undefined): boolean => {
    if (answer?.accepted) store.moveOn();
    else if (answer) store.tellForNow('Your answer came too late: this was already answered, or the turn was stopped.');
    return answer?.accepted ?? false;
  };

  return {
    sendPrompt: async (text) => {
      store.problem.value = undefined;
      if (!fits(text)) {
        store.problem.value =
          'This prompt is too long for one message (about 60,000 characters fit). Save the text in a file and name the file instead.';
        return false;
      }
      const answer = await send('prompt/send', { text });
      if (answer?.accepted) return true;
      if (answer) store.problem.value = answer.problem ?? 'Lathe did not take the prompt. Try it again.';
      return false;
    },
    saveDraft: (text) => {
      if (fits(text)) void send('draft/save', { text });
    },
    // Nothing the person has asked for, so nothing to trouble them with when it goes wrong.
    takeFocus: () => void channel.request('panel/focused', {}).catch(() => {}),
    stop: () => void send('turn/stop', {}),
    answerAsk: async (ask, answer) => isTaken(await send('ask/answer', { ask, answer })),
    openProposal: async (ask) => (await send('proposal/open', { ask }))?.opened ?? false,
    applyProposal: async (ask, digest) => isTaken(await send('proposal/apply', { ask, digest })),
    setMode: (mode) => void send('mode/set', { mode }),
    openFile: (path, line) => void send('file/open', line === undefined ? { path } : { path, line }),
    openDiff: async (call, path) => {
      await send('diff/open', { call, path });
    },
    actOnReview: (action, path) => void send('review/act', path === undefined ? { action } : { action, path }),
    rewind: (turn) => void send('rewind/start', { turn }),
    showTerminal: (call) => void send('terminal/show', call === undefined ? {} : { call }),
    stopRun: (call) => void send('run/stop', { call }),
    releaseRun: (call) => void send('run/release', { call }),
    openLink: (url) => void send('link/open', { url }),
    runCommand: (command) => void send('command/run', { command }),
    loadOlder,
    loadBackTo: async (row) => {
      for (;;) {
        const { ids } = store.order.peek();
        if (ids.includes(row)) return true;
        await loadOlder();
        // No older ones, another session, or the host did not answer.
        if (store.order.peek().ids === ids) return false;
      }
    },
    loadText: (row, maxChars) => once(`text ${row}`, () => loadMissing(row, maxChars)),
    readOutput: (call, offset) => send('output/range', { call, offset }),
  };
}

function fits(text: string): boolean {
  return JSON.stringify(text).length <= MESSAGE_MAX_CHARS - ENVELOPE_CHARS;
}

// The panel's end of the channel to the host: requests with their answers, events, and what VS Code keeps for the page.
import type { AnswerOf, HostEvent, RequestName, RequestOf } from '../src/common/protocol';
import { isAnswer, parseIncoming } from './incoming';

/** What VS Code offers a webview page; it can be asked for once per page. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** What survives the page being dropped while it is hidden. */
export interface Saved {
  readonly sessionId: string;
  readonly draft: string;
}

export interface Channel {
  /** Rejects with a message fit to be shown. */
  request<N extends RequestName>(name: N, payload: RequestOf<N>): Promise<AnswerOf<N>>;
  onEvent(listener: (event: HostEvent) => void): void;
  load(): Saved | undefined;
  save(saved: Saved): void;
}

interface Waiting {
  readonly name: RequestName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: Error) => void;
}

export function openChannel(): Channel {
  const api = acquireVsCodeApi();
  const waiting = new Map<number, Waiting>();
  let listener: (event: HostEvent) => void = () => {};
  let lastId = 0;

  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  };

  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = parseIncoming(data);
    if (!message) return;
    if (message.type === 'event') return listener(message.event);
    const request = settle(message.id);
    if (!request) return;
    if (message.type === 'problem') return request.reject(new Error(message.message));
    if (isAnswer(request.name, message.value)) return request.resolve(message.value);
    request.reject(new Error(`Lathe answered ${request.name} in a way this panel does not know. Reload the window.`));
  });

  return {
    request: <N extends RequestName>(name: N, payload: RequestOf<N>) =>
      new Promise<AnswerOf<N>>((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { name, resolve: resolve as (value: unknown) => void, reject });
        api.postMessage({ id, name, payload });
      }),
    onEvent: (next) => {
      listener = next;
    },
    load: () => {
      const state = api.getState();
      return isSaved(state) ? state : undefined;
    },
    save: (saved) => api.setState(saved),
  };
}

function isSaved(value: unknown): value is Saved {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, draft } = value as Partial<Record<keyof Saved, unknown>>;
  return typeof sessionId === 'string' && typeof draft === 'string';
}

// The host's end of the panel's channel, fed from a recorded log: events go through the real fold, requests are answered and kept.
import type { EventBody } from '../../../src/common/events';
import { MAIN_AGENT } from '../../../src/common/events';
import type {
  AnswerOf,
  Handlers,
  HostEventBody,
  PanelState,
  RequestName,
  ToHost,
  ToPanel,
} from '../../../src/common/protocol';
import { Transcript } from '../../../src/common/transcript';

const PAGE_ROWS = 60;
const RANGE_BYTES = 16 * 1024;

export const START_STATE: PanelState = {
  sessionId: 's1',
  running: false,
  mode: 'ask',
  model: 'Claude Sonnet 5.5',
  isDemo: false,
  isRestricted: false,
  hasWorkspace: true,
  todos: [],
  contextTokens: 0,
  contextWindow: 200_000,
  review: { listed: [], files: 0, added: 0, removed: 0 },
  tasks: [],
};

export interface RecordedHost {
  /** What the panel has asked for, in order. */
  readonly asked: readonly ToHost[];
  askedFor<N extends RequestName>(name: N): readonly Extract<ToHost, { name: N }>['payload'][];
  receive(message: ToHost): Promise<void>;
  /** Folds events in and tells the panel, one message for all. */
  play(...bodies: readonly EventBody[]): Promise<void>;
  setState(change: Partial<PanelState>): Promise<void>;
  tell(body: HostEventBody): Promise<void>;
  /** Loses the next message on its way, as happens while a page is hidden. */
  dropNext(): void;
  /** What `output/range` reads, by call. */
  readonly outputs: Map<string, string>;
  refuse(name: RequestName, message: string): void;
  /** From now on these come too late. */
  decline(name: 'ask/answer'): void;
}

export interface HostOptions {
  readonly state?: Partial<PanelState>;
  readonly events?: readonly EventBody[];
  readonly draft?: string;
  /** Epoch milliseconds of the first event. */
  readonly startMs?: number;
}

export function createRecordedHost(send: (message: ToPanel) => Promise<void>, options: HostOptions = {}): RecordedHost {
  const { startMs = Date.now() } = options;
  const transcript = new Transcript();
  const asked: ToHost[] = [];
  const outputs = new Map<string, string>();
  const refused = new Map<RequestName, string>();
  const declined = new Set<RequestName>();
  let state: PanelState = { ...START_STATE, ...options.state };
  let panelSeq = 0;
  let eventSeq = 0;
  let turn = 0;
  let isDropping = false;

  const fold = (body: EventBody) => {
    if (body.type === 'turn/started') turn++;
    const stamp = { seq: ++eventSeq, time: startMs, session: state.sessionId, turn: `t${turn}`, agent: MAIN_AGENT };
    return transcript.apply({ ...stamp, ...body });
  };
  options.events?.forEach(fold);

  const tell = async (body: HostEventBody): Promise<void> => {
    panelSeq++;
    if (isDropping) {
      isDropping = false;
      return;
    }
    await send({ type: 'event', event: { seq: panelSeq, ...body } });
  };

  const handlers: Handlers = {
    'panel/ready': async () => ({ state, page: transcript.page(PAGE_ROWS), seq: panelSeq, draft: options.draft ?? '' }),
    'rows/before': async ({ row }) => transcript.page(PAGE_ROWS, row),
    'row/text': async ({ row, offset }) => ({ text: transcript.text(row, offset) }),
    'output/range': async ({ call, offset }) => {
      const whole = Buffer.from(outputs.get(call) ?? '');
      const piece = whole.subarray(offset, offset + RANGE_BYTES);
      return { text: piece.toString(), next: offset + piece.length, bytes: whole.length };
    },
    'prompt/send': async () => ({ accepted: true }),
    'draft/save': async () => {},
    'panel/focused': async () => {},
    'turn/stop': async () => {},
    'ask/answer': async () => ({ accepted: !declined.has('ask/answer') }),
    'proposal/open': async () => ({ opened: true }),
    'proposal/apply': async () => ({ accepted: true }),
    'mode/set': async ({ mode }) => {
      state = { ...state, mode };
      await tell({ type: 'state', state });
    },
    'session/new': async () => {},
    'file/open': async () => {},
    'diff/open': async () => {},
    'review/act': async () => {},
    'rewind/start': async () => {},
    'terminal/show': async () => {},
    'run/stop': async () => {},
    'run/release': async () => {},
    'link/open': async () => {},
    'command/run': async () => {},
  };

  return {
    asked,
    askedFor: (name) => asked.filter((message) => message.name === name).map(({ payload }) => payload as never),
    outputs,
    receive: async (message) => {
      asked.push(message);
      const { id, name, payload } = message;
      const problem = refused.get(name);
      if (problem !== undefined) return send({ type: 'problem', id, message: problem });
      const handler = handlers[name] as (payload: unknown) => Promise<AnswerOf<RequestName>>;
      await send({ type: 'answer', id, value: await handler(payload) });
    },
    play: async (...bodies) => tell({ type: 'rows', changes: bodies.flatMap(fold) }),
    setState: async (change) => {
      state = { ...state, ...change };
      await tell({ type: 'state', state });
    },
    tell,
    dropNext: () => {
      isDropping = true;
    },
    refuse: (name, message) => {
      refused.set(name, message);
    },
    decline: (name) => {
      declined.add(name);
    },
  };
}

// A turn for tests of the engine: the node host on a temporary folder, real permissions, real outputs, events kept in a list.
import type { AgentEvent, EventBody } from '../../../../src/common/events';
import type { Mode } from '../../../../src/common/modes';
import type { AskQueue } from '../../../../src/core/session/types';
import { ReadState } from '../../../../src/core/files/readState';
import type { Clock, Host } from '../../../../src/core/host';
import { Hooks } from '../../../../src/core/hooks/hooks';
import { Outputs, type OutputsOptions } from '../../../../src/core/output/outputs';
import { createAskQueue } from '../../../../src/core/permission/askQueue';
import { Permissions } from '../../../../src/core/permission/permissions';
import { Background } from '../../../../src/core/tool/background';
import { Gate } from '../../../../src/core/tool/gate';
import { Inputs } from '../../../../src/core/tool/inputs';
import type { Tool, ToolCall } from '../../../../src/core/tool/tool';
import { createToolset } from '../../../../src/core/tool/toolset';
import type { TurnTools } from '../../../../src/core/tool/turnTools';
import type { NodeHostOptions } from '../../../../src/node/host';
import { programStarter } from '../../../../src/node/program';
import { createWorkspace } from '../../../support/workspace';

export interface TestTurn {
  readonly turn: TurnTools;
  readonly host: Host;
  readonly root: string;
  readonly asks: AskQueue;
  readonly events: readonly EventBody[];
  readonly logged: readonly string[];
  readonly stop: AbortController;
  /** Resolves with the first event of that type, also one that has been. */
  seen<T extends EventBody['type']>(type: T): Promise<Extract<EventBody, { type: T }>>;
}

export interface TurnOptions {
  readonly mode?: Mode;
  readonly settings?: NodeHostOptions['settings'];
  readonly clock?: Clock;
  readonly connected?: () => readonly Tool[];
  readonly maxOutputBytes?: number;
}

/** Runs `use` with a turn over these tools, in a workspace that is removed afterwards. */
export async function withTurn(
  tools: readonly Tool[],
  options: TurnOptions,
  use: (test: TestTurn) => Promise<void>,
): Promise<void> {
  const logged: string[] = [];
  const log = { info: () => {}, warn: (line: string) => logged.push(line), error: (line: string) => logged.push(line) };
  const { mode = 'bypass', settings = {}, clock } = options;
  const workspace = await createWorkspace({}, { settings, log, ...(clock ? { clock } : {}) });
  try {
    const test = makeTurn(workspace.host, workspace.root, tools, { ...options, mode }, logged);
    await use(test);
    await test.turn.outputs.flush();
  } finally {
    await workspace.remove();
  }
}

function makeTurn(
  host: Host,
  root: string,
  tools: readonly Tool[],
  options: TurnOptions & { readonly mode: Mode },
  logged: readonly string[],
): TestTurn {
  const events: EventBody[] = [];
  const listeners = new Set<() => void>();
  const stop = new AbortController();
  const asks = createAskQueue();
  const { maxOutputBytes: maxBytes, mode } = options;
  const outputsOptions: OutputsOptions = { host, session: 's1', ...(maxBytes === undefined ? {} : { maxBytes }) };
  const outputs = new Outputs(outputsOptions);
  const reads = new ReadState();
  const toolset = createToolset(tools, host, options.connected);
  const emit = (event: EventBody): void => {
    events.push(event);
    for (const listener of [...listeners]) listener();
  };
  const hooks = new Hooks({
    ...{ host, start: programStarter(), session: 's1', source: 'startup', emit },
    mode: () => mode,
    cwd: () => root,
  });
  const background = new Background();
  const turn: TurnTools = {
    host,
    toolset,
    inputs: new Inputs(host.log),
    gate: new Gate(() => host.settings.get('tools.concurrency')),
    permissions: new Permissions(host),
    hooks,
    outputs,
    recorder: { note: () => Promise.resolve([]), tellUnseen: () => {} },
    background,
    asker: asks,
    signal: stop.signal,
    emit,
    contextFor: (call, signal) => ({
      call,
      session: 's1',
      agent: 'main',
      host,
      mode,
      seesImages: false,
      signal,
      reads,
      outputs,
      state: { todos: () => [], setTodos: () => {} },
      tools: toolset,
      tasks: background,
      cwd: () => root,
      setCwd: () => {},
    }),
  };
  const seen: TestTurn['seen'] = (type) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = events.find((event): event is Extract<AgentEvent, { type: typeof type }> => event.type === type);
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  return { turn, host, root, asks, events, logged, stop, seen };
}

let nextCall = 0;

export function callOf(name: string, input: ToolCall['input'] = {}, more: Partial<ToolCall> = {}): ToolCall {
  return { id: `call_${++nextCall}`, name, input, ...more };
}

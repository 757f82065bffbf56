// A session for scenario tests: real loop, engine, SDK and node host, against the scripted model server.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent, EventOf, EventType } from '../../src/common/events';
import type { Mode } from '../../src/common/modes';
import type { Asker, Clock, Log } from '../../src/core/host';
import { createAskQueue } from '../../src/core/permission/askQueue';
import type { Target } from '../../src/core/permission/types';
import { anthropicProvider } from '../../src/core/provider/anthropic';
import type { Patience } from '../../src/core/provider/watch';
import { openSession } from '../../src/core/session/session';
import type { AskQueue, Session, SessionOptions } from '../../src/core/session/types';
import { defineTool, type Tool } from '../../src/core/tool/tool';
import { unattended } from '../../src/node/asker';
import type { NodeHostOptions } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { createQuickClock, type QuickClock } from './clock';
import type { Reply } from './model-server/scenario';
import { startModelServer, type ModelServer, type ServerOptions } from './model-server/server';
import { createWorkspace, type Tree, type Workspace } from './workspace';

export interface SessionTestOptions {
  readonly replies: readonly Reply[];
  readonly tools?: readonly Tool[];
  /** What else is connected; see SessionOptions. */
  readonly connected?: SessionOptions['connected'];
  readonly files?: Tree;
  /** `usual`: the one that the settings name. */
  readonly mode?: Mode | 'usual';
  /** Whether the workspace is trusted; it is where absent. */
  readonly isTrusted?: () => boolean;
  /** False: nobody is there to ask. */
  readonly attended?: boolean;
  readonly settings?: NodeHostOptions['settings'];
  readonly server?: ServerOptions;
  /** Where something takes its real time: a hook, say. */
  readonly hostClock?: Clock;
  readonly patience?: Patience;
  /** What is logged goes nowhere where absent. */
  readonly log?: Log;
  /** Instead of the server's own address. */
  readonly baseUrl?: string;
  /** What the server itself may find wrong; nothing by default, so each test proves its histories valid. */
  readonly problems?: readonly RegExp[];
}

export interface SessionTest {
  readonly session: Session;
  readonly server: ModelServer;
  readonly workspace: Workspace;
  readonly clock: QuickClock;
  readonly asks: AskQueue;
  readonly events: readonly AgentEvent[];
  of<T extends EventType>(type: T): EventOf<T>[];
  /** Opens the same session from its file, as after a restart, over the same host and server; its events go to `events` too. */
  reopen(id?: string): Promise<Session>;
}

const PATIENT: Patience = { headerMs: 60_000, idleMs: 60_000 };

/** Runs `use` and checks that the server had nothing to object to. */
export async function withSession(
  options: SessionTestOptions,
  use: (test: SessionTest) => Promise<void>,
): Promise<void> {
  const { tools = [], files = {}, mode = 'bypass', settings = {}, patience = PATIENT, attended = true } = options;
  const clock = createQuickClock();
  const { isTrusted = () => true, log = { info: () => {}, warn: () => {}, error: () => {} } } = options;
  const workspace = await createWorkspace(files, { settings, isTrusted, clock: options.hostClock ?? clock, log });
  const server = await startModelServer([...options.replies], { apiKey: 'sk-test', ...options.server });
  const asks = createAskQueue();
  const events: AgentEvent[] = [];
  const { host } = workspace;
  const provider = anthropicProvider({ host, baseUrl: options.baseUrl ?? server.url, apiKey: 'sk-test', patience });
  const start = programStarter();
  const open = async (resume?: string, asker: Asker = attended ? asks : unattended): Promise<Session> => {
    const { connected } = options;
    const common = {
      ...{
        host,
        tools,
        asker,
        ...(mode === 'usual' ? {} : { mode }),
        start,
        provider: () => Promise.resolve(provider),
      },
      ...(connected ? { connected } : {}),
    };
    const session = await openSession(resume === undefined ? common : { ...common, resume });
    session.subscribe((event) => events.push(event));
    return session;
  };
  const session = await open();
  try {
    await use({
      session,
      server,
      workspace,
      clock,
      asks,
      events,
      of: <T extends EventType>(type: T) => events.filter((event): event is EventOf<T> => event.type === type),
      async reopen(id = session.id) {
        // The process that held it is gone.
        await rm(join(workspace.outside, 'store', 'locks'), { recursive: true, force: true });
        return open(id);
      },
    });
    const problems = server.problems();
    const expected = options.problems ?? [];
    assert.equal(problems.length, expected.length, problems.join('\n'));
    for (const [at, pattern] of expected.entries()) assert.match(problems[at] ?? '', pattern);
  } finally {
    session.dispose();
    await session.flush();
    await server.close();
    await workspace.remove();
  }
}

export interface CountedTools {
  readonly tools: readonly Tool[];
  /** What ran, in order of its start, as `name:id`. */
  readonly runs: readonly string[];
}

const ID = { type: 'object', properties: { id: { type: 'string', description: 'Any' } }, required: ['id'] } as const;

/** Two tools that only count: `peek` reads and may overlap, `poke` changes something. */
export function countedTools(): CountedTools {
  const runs: string[] = [];
  const run = (name: string) => async (id: string) => {
    runs.push(`${name}:${id}`);
    return { text: `${name} ${id}` };
  };
  const plan = (targets: readonly Target[]) => async (input: { readonly id: string }) => ({ targets, plan: input.id });
  const peek = defineTool({
    name: 'peek',
    kind: 'read',
    description: 'Looks.',
    schema: ID,
    modes: 'all',
    title: ({ id }) => `Peek ${id}`,
    readOnly: () => true,
    concurrent: () => true,
    prepare: plan([]),
    run: run('peek'),
  });
  const poke = defineTool({
    name: 'poke',
    kind: 'edit',
    description: 'Changes.',
    schema: ID,
    title: ({ id }) => `Poke ${id}`,
    prepare: plan([{ op: 'use', name: 'the counter' }]),
    run: run('poke'),
  });
  return { tools: [peek, poke], runs };
}

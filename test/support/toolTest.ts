// The built-in tools through the real engine on a temporary workspace: calls as a model makes them, results as it gets them.
import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import type { Ask, AskAnswer } from '../../src/common/asks';
import type { Display, Todo } from '../../src/common/display';
import type { EventBody } from '../../src/common/events';
import type { JsonObject } from '../../src/common/json';
import type { Mode } from '../../src/common/modes';
import { ReadState } from '../../src/core/files/readState';
import type { Asker, Host } from '../../src/core/host';
import type { ShellCommand, ShellExit } from '../../src/core/shell';
import { Hooks } from '../../src/core/hooks/hooks';
import { Outputs } from '../../src/core/output/outputs';
import type { Rule } from '../../src/core/permission/types';
import { Permissions } from '../../src/core/permission/permissions';
import { Background } from '../../src/core/tool/background';
import { Gate } from '../../src/core/tool/gate';
import { Inputs } from '../../src/core/tool/inputs';
import { runToolCall } from '../../src/core/tool/orchestrator';
import type { Tool, ToolContext } from '../../src/core/tool/tool';
import { createToolset } from '../../src/core/tool/toolset';
import type { ToolResult, TurnTools } from '../../src/core/tool/turnTools';
import { unattended } from '../../src/node/asker';
import type { NodeHostOptions } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { TOOLS } from '../../src/tools/index';
import { createWorkspace, type Tree, type Workspace } from './workspace';

export interface ToolTestOptions {
  /** A function where it changes between calls. */
  readonly mode?: Mode | (() => Mode);
  /** As from settings. */
  readonly rules?: readonly Rule[];
  readonly onEvent?: (event: EventBody) => void;
  readonly settings?: NodeHostOptions['settings'];
  /** The model that calls sees no images. */
  readonly isTextOnly?: boolean;
  readonly env?: NodeHostOptions['env'];
  /** Tools of MCP servers. */
  readonly connected?: () => readonly Tool[];
  /** Answers what is asked; absent: nobody is there. */
  readonly answer?: (ask: Ask) => AskAnswer;
  /** Further folders of the workspace, relative to the one that holds it. */
  readonly otherRoots?: readonly string[];
  /** Files that an editor around the workspace holds unsaved changes of. */
  readonly unsaved?: readonly string[];
}

export interface ToolTest extends Workspace {
  /** Ids are c1, c2, … in call order. */
  readonly call: (name: string, input: JsonObject) => Promise<ToolResult>;
  readonly events: readonly EventBody[];
  readonly asks: readonly Ask[];
  readonly stop: AbortController;
  readonly reads: ReadState;
  readonly outputs: Outputs;
  /** Files whose content was asked for, relative to the workspace. */
  readonly opened: readonly string[];
  readonly todos: () => readonly Todo[];
  /** Relative to the workspace. */
  readonly cwd: () => string;
  readonly setCwd: (relative: string) => void;
}

/** Runs `use` with all built-in tools over these files; nothing is asked unless a mode other than bypass is given. */
export async function withTools(
  files: Tree,
  use: (test: ToolTest) => Promise<void>,
  options: ToolTestOptions = {},
): Promise<void> {
  const bugs: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (line: string) => bugs.push(line) };
  const { settings = {}, env } = options;
  const workspace = await createWorkspace(files, { settings, log, ...(env ? { env } : {}) });
  try {
    const opened: string[] = [];
    const host = countOpened(withRoots(inEditor(workspace, options.unsaved), options.otherRoots), opened);
    const test = makeTest({ ...workspace, host, opened }, options);
    await use(test);
    await test.outputs.flush();
    assert.deepEqual(bugs, []);
  } finally {
    await workspace.remove();
  }
}

/** All built-in tools on a host that there is already; nothing is asked unless a mode other than bypass is given. */
export function toolsOn(workspace: Workspace, options: ToolTestOptions = {}): ToolTest {
  return makeTest({ ...workspace, opened: [] }, options);
}

function inEditor({ host, path }: Workspace, unsaved: readonly string[] = []): Host {
  if (unsaved.length === 0) return host;
  const run = async (command: ShellCommand): Promise<ShellExit> => {
    const exit = await host.shell.run(command);
    return exit.ok ? { ...exit, unsaved: unsaved.map(path) } : exit;
  };
  return { ...host, shell: { ...host.shell, run } };
}

function withRoots(host: Host, names: readonly string[] = []): Host {
  const [root] = host.roots();
  if (!root || names.length === 0) return host;
  const others = names.map((name) => ({ name: basename(name), path: join(dirname(root.path), name) }));
  return { ...host, roots: () => [root, ...others] };
}

function countOpened(host: Host, opened: string[]): Host {
  const count = (path: string) => opened.push(path.slice((host.roots()[0]?.path.length ?? 0) + 1));
  const files: Host['files'] = {
    ...host.files,
    text: (path, maxBytes) => (count(path), host.files.text(path, maxBytes)),
    bytes: (path, maxBytes) => (count(path), host.files.bytes(path, maxBytes)),
  };
  return { ...host, files };
}

function makeTest(
  workspace: Workspace & Pick<ToolTest, 'opened'>,
  { mode: given = 'bypass', rules = [], onEvent, answer, isTextOnly, connected }: ToolTestOptions,
): ToolTest {
  const { host, root } = workspace;
  const outputs = new Outputs({ host, session: 's1' });
  const reads = new ReadState();
  const events: EventBody[] = [];
  const asks: Ask[] = [];
  const stop = new AbortController();
  const mode = (): Mode => (typeof given === 'function' ? given() : given);
  const emit = (event: EventBody): void => {
    events.push(event);
    onEvent?.(event);
  };
  let cwd = root;
  let todos: readonly Todo[] = [];
  let calls = 0;
  const asker: Asker = answer
    ? {
        hasPerson: true,
        ask: (ask) => {
          asks.push(ask);
          return Promise.resolve(answer(ask));
        },
      }
    : unattended;
  const toolset = createToolset(TOOLS, host, connected);
  const background = new Background();
  const contextFor = (call: string, signal: AbortSignal): ToolContext => ({
    ...{ call, session: 's1', agent: 'main', host, mode: mode(), signal, reads, outputs },
    seesImages: !isTextOnly,
    tools: toolset,
    tasks: background,
    state: {
      todos: () => todos,
      setTodos: (next) => {
        todos = next;
      },
    },
    cwd: () => cwd,
    setCwd: (path) => {
      cwd = path;
    },
  });
  const turn: TurnTools = {
    host,
    toolset,
    inputs: new Inputs(host.log),
    gate: new Gate(() => 10),
    permissions: new Permissions(host, { rules: () => ({ rules, problems: [] }) }),
    hooks: new Hooks({
      ...{ host, start: programStarter(), session: 's1', source: 'startup' },
      mode,
      cwd: () => cwd,
      emit,
    }),
    outputs,
    recorder: { note: () => Promise.resolve([]), tellUnseen: () => {} },
    background,
    asker,
    signal: stop.signal,
    emit,
    contextFor,
  };
  return {
    ...workspace,
    ...{ events, asks, stop, reads, outputs },
    call: (name, input) => runToolCall({ id: `c${++calls}`, name, input }, turn),
    todos: () => todos,
    cwd: () => cwd.slice(root.length + 1),
    setCwd: (relative) => {
      cwd = workspace.path(relative);
    },
  };
}

/** One call and what is expected of it; text with the workspace's path written as `<root>`. */
export interface ToolCase {
  readonly what: string;
  readonly files?: Tree;
  /** Calls before it, whose results do not matter. */
  readonly before?: readonly (readonly [string, JsonObject])[];
  /** What happens to the files between. */
  readonly meanwhile?: (test: ToolTest) => Promise<unknown>;
  readonly input: JsonObject;
  readonly text: string | RegExp;
  readonly status?: ToolResult['status'];
  readonly display?: Display;
  /** All files afterwards; absent: not looked at. */
  readonly after?: Record<string, string>;
  readonly options?: ToolTestOptions;
}

export function checkTool(name: string, files: Tree, cases: readonly ToolCase[]): void {
  describe(name, () => {
    for (const each of cases) {
      it(each.what, () =>
        withTools(
          each.files ?? files,
          async (test) => {
            for (const [tool, input] of each.before ?? []) await test.call(tool, input);
            await each.meanwhile?.(test);
            const result = await test.call(name, each.input);
            const text = result.text.replaceAll(test.root, '<root>');
            assert.deepEqual(
              { status: result.status, text: textFor(each.text, text) },
              { status: each.status ?? 'done', text: each.text },
            );
            if (each.display) assert.deepEqual(withoutRoot(result.display, test.root), each.display);
            if (each.after) assert.deepEqual(await test.tree(), each.after);
          },
          each.options,
        ),
      );
    }
  });
}

/** A pattern stands for itself where it matches, so that one assertion compares everything. */
function textFor(expected: string | RegExp, text: string): string | RegExp {
  return expected instanceof RegExp && expected.test(text) ? expected : text;
}

function withoutRoot(display: Display | undefined, root: string): unknown {
  return display && JSON.parse(JSON.stringify(display).replaceAll(root, '<root>'));
}

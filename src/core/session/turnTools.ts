// What a session gives to the calls of one turn.
import type { Changes } from '../checkpoint/session';
import { MAIN_AGENT } from '../../common/events';
import type { Mode } from '../../common/modes';
import type { ReadState } from '../files/readState';
import type { Hooks } from '../hooks/hooks';
import type { Asker, Host, Path } from '../host';
import type { Outputs } from '../output/outputs';
import type { Permissions } from '../permission/permissions';
import type { Background } from '../tool/background';
import type { Gate } from '../tool/gate';
import type { Inputs } from '../tool/inputs';
import type { SessionState, ToolContext } from '../tool/tool';
import type { Toolset } from '../tool/toolset';
import type { TurnTools } from '../tool/turnTools';
import type { SessionRecord } from './record';

/** What lasts as long as the session. */
export interface SessionParts {
  readonly host: Host;
  readonly record: SessionRecord;
  readonly inputs: Inputs;
  readonly gate: Gate;
  readonly permissions: Permissions;
  readonly hooks: Hooks;
  readonly outputs: Outputs;
  readonly changes: Changes;
  readonly background: Background;
  readonly reads: ReadState;
  readonly asker: Asker;
  readonly mode: () => Mode;
  readonly seesImages: () => boolean;
  /** Where commands run: kept between calls. */
  readonly cwd: () => Path;
  readonly setCwd: (path: Path) => void;
}

/** `signal` aborts when the person stops the turn. */
export function turnTools(parts: SessionParts, toolset: Toolset, signal: AbortSignal): TurnTools {
  const { host, inputs, gate, permissions, hooks, outputs, changes, background, asker, record } = parts;
  return {
    ...{ host, toolset, inputs, gate, permissions, hooks, outputs, background, asker, signal },
    recorder: changes.recorder,
    emit: (event) => record.emit(event),
    contextFor: (call, callSignal) => toolContext(parts, call, callSignal, toolset),
  };
}

function toolContext(parts: SessionParts, call: string, signal: AbortSignal, tools: Toolset): ToolContext {
  const { host, changes, mode, seesImages, reads, outputs, background, record, cwd, setCwd } = parts;
  return {
    ...{ call, signal, reads, outputs, tools, cwd, setCwd },
    session: record.id,
    agent: MAIN_AGENT,
    host: { ...host, edits: changes.recorder },
    mode: mode(),
    seesImages: seesImages(),
    state: stateOf(record),
    tasks: background,
  };
}

function stateOf(record: SessionRecord): SessionState {
  return {
    todos: () => record.known.todos,
    setTodos: (todos) => record.emit({ type: 'todos/changed', todos }),
  };
}

// What a session gives to the calls of one turn.
import { MAIN_AGENT } from '../../common/events';
import type { SessionState, ToolContext } from '../tool/tool';
import type { Toolset } from '../tool/toolset';
import type { TurnTools } from '../tool/turnTools';
import type { SessionParts } from './parts';
import type { SessionRecord } from './record';

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

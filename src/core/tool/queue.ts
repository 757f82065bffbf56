// A call's first event: what it is, in words that people read.
import { messageOf } from '../../common/errors';
import type { JsonObject } from '../../common/json';
import type { Tool, ToolCall } from './tool';
import type { TurnTools } from './turnTools';

const TITLE_MAX_CHARS = 200;

/** Answers the title. A second time when the input has become another one. */
export function queue(call: ToolCall, turn: TurnTools, tool: Tool | undefined, input?: JsonObject): string {
  // No tool has a name that long, but a model may take a file for one.
  const name = call.name.slice(0, TITLE_MAX_CHARS);
  const title = (tool && input && titleOf(tool, input, turn)) ?? name;
  turn.emit({ type: 'tool/queued', call: call.id, tool: tool?.name ?? name, kind: tool?.kind ?? 'other', title });
  return title;
}

function titleOf(tool: Tool, input: JsonObject, { host }: TurnTools): string {
  try {
    return tool.title(input).replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX_CHARS);
  } catch (bug) {
    host.log.error(`The tool ${tool.name} has no title for an input: ${messageOf(bug)}`, bug);
    return tool.name;
  }
}

// What the engine's benches call tools in: a turn whose events a real session record folds and writes down.
import { SessionRecord } from '../../../src/core/session/record';
import { defineTool, type Tool, type ToolCall } from '../../../src/core/tool/tool';
import { runToolCall } from '../../../src/core/tool/orchestrator';
import type { ToolResult, TurnTools } from '../../../src/core/tool/turnTools';
import { withTurn } from '../../unit/core/tool/turn';

const PATH = { type: 'string', description: 'Any' } as const;

/** Does nothing, and is allowed without asking, in every mode. */
export const noop = defineTool({
  name: 'noop',
  kind: 'read',
  description: 'Does nothing.',
  schema: {
    type: 'object',
    properties: { file_path: PATH, offset: { type: 'integer', description: 'Any' } },
    required: ['file_path'],
    additionalProperties: false,
  },
  modes: 'all',
  title: ({ file_path }) => `Nothing for ${file_path}`,
  readOnly: () => true,
  concurrent: () => true,
  prepare: async ({ file_path }) => ({ targets: [], plan: file_path }),
  run: async (path: string) => ({ text: `Nothing was done for ${path}.` }),
});

export interface BenchSession {
  readonly turn: TurnTools;
  readonly record: SessionRecord;
  /** One call as a message of the model brings it: its block, its events, its result. */
  call(at: number): Promise<ToolResult>;
}

/** Runs `use` with a session over one tool; the record's file is written as usual. */
export async function withBenchSession(tool: Tool, use: (session: BenchSession) => Promise<void>): Promise<void> {
  await withTurn([tool], { mode: 'ask' }, async ({ turn: bare, host }) => {
    const record = new SessionRecord('s1', host);
    record.journal.release();
    record.enterTurn('t1');
    const turn: TurnTools = { ...bare, emit: (event) => record.emit(event) };
    const call = (at: number): Promise<ToolResult> => {
      const made = callAt(tool, at);
      record.emit({ type: 'block/finished', block: `m${at}/0`, content: { type: 'tool_use', ...made } });
      return runToolCall(made, turn);
    };
    await use({ turn, record, call });
    await record.journal.flush();
  });
}

export function callAt({ name }: Tool, at: number): ToolCall {
  return { id: `toolu_${at}`, name, input: { file_path: `src/file${at}.ts`, offset: at } };
}

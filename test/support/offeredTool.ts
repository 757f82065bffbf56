// A tool as an MCP server offers it, without a server: what it is called with is what it answers.
import type { JsonObject } from '../../src/common/json';
import { mcpTool } from '../../src/core/mcp/tool';
import type { ObjectSchema, Tool } from '../../src/core/tool/tool';

export interface Offered {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly schema?: ObjectSchema;
  readonly isReadOnly?: boolean;
  /** Gets each input. */
  readonly onCall?: (input: JsonObject) => void;
}

export function offeredTool({ server, name, description = '', isReadOnly = false, onCall, ...more }: Offered): Tool {
  const schema: ObjectSchema = more.schema ?? { type: 'object', properties: {} };
  return mcpTool({
    name: `mcp__${server}__${name}`,
    server,
    listed: { name, description, inputSchema: undefined, isReadOnly },
    schema,
    call: async (input) => {
      onCall?.(input);
      return { kind: 'answer', result: { content: [{ type: 'text', text: JSON.stringify(input) }] } };
    },
  });
}

// From a server's list to the tools that can be used: each with a name of its own and a schema that calls can be checked against.
import type { JsonObject } from '../../common/json';
import type { Clock } from '../host';
import type { ObjectSchema, Tool } from '../tool/tool';
import type { ServerConfig } from './config';
import type { CallOptions, CallOutcome, ListedTool } from './connection';
import { toolNames } from './names';
import { inputSchemaOf, mcpTool } from './tool';

export interface UsableTools {
  readonly tools: readonly Tool[];
  /** For the person: which tools are left out, and why. */
  readonly problems: readonly string[];
}

export interface ToolsOptions {
  readonly config: ServerConfig;
  readonly clock: Clock;
  /** Calls a tool by the server's own name for it. */
  readonly call: (tool: string, input: JsonObject, options: CallOptions) => Promise<CallOutcome>;
}

/** Schemas take some milliseconds each to compile: between so many of them others get their turn. */
const SCHEMAS_AT_ONCE = 8;

/** A tool that cannot be used is left out; the others are not harmed. Of two entries of one name the last counts. */
export async function usableTools(
  listed: readonly ListedTool[],
  { config, clock, call }: ToolsOptions,
): Promise<UsableTools> {
  const { compileSchema } = await import('../tool/schema');
  const entries = [...new Map(listed.map((tool) => [tool.name, tool])).values()];
  const names = toolNames(
    config.key,
    entries.map(({ name }) => name),
  );
  const tools: Tool[] = [];
  const problems: string[] = [];
  for (const [index, tool] of entries.entries()) {
    if (index % SCHEMAS_AT_ONCE === SCHEMAS_AT_ONCE - 1) await clock.sleep(0);
    const schema = checkedSchema(tool, compileSchema);
    if (typeof schema === 'string') {
      problems.push(`The tool ${tool.name} of the MCP server ${config.name} is left out: ${schema}.`);
      continue;
    }
    tools.push(
      mcpTool({
        name: names.get(tool.name) ?? tool.name,
        server: config.name,
        listed: tool,
        schema,
        call: (input, options) => call(tool.name, input, options),
      }),
    );
  }
  return { tools, problems };
}

/** The schema, or why calls could not be checked against it. */
function checkedSchema(
  { inputSchema }: ListedTool,
  compile: typeof import('../tool/schema').compileSchema,
): ObjectSchema | string {
  const schema = inputSchemaOf(inputSchema);
  if (typeof schema === 'string') return schema;
  const faults: string[] = [];
  // A JSON Schema is JSON; its own type does not say so.
  compile(schema as unknown as JsonObject, (reason) => faults.push(reason));
  return faults.length === 0 ? schema : `its input schema cannot be used (${faults.join(', ')})`;
}

// Tool: stands for every tool that no request describes. The engine puts the tool that is meant in its place.
import type { JsonObject } from '../common/json';
import { defineTool } from '../core/tool/tool';

export const call = defineTool({
  name: 'call',
  kind: 'other',
  description: 'Runs a tool that is not in your tool list, as toolsearch shows it.',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The tool', minLength: 1 },
      input: { type: 'object', description: 'What its schema asks for' },
    },
    required: ['name'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['call_tool', 'CallTool', 'use_tool', 'invoke_tool', 'run_tool'],
  title: ({ name }) => `Call ${name}`,
  dispatch: ({ name, input = {} }) => ({ name, input: input as JsonObject }),

  async prepare({ name }) {
    return { objection: `${name} was not found in place of this call.` };
  },

  async run() {
    throw new Error('A call that stands for another one was run itself.');
  },
});

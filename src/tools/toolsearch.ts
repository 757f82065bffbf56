// Tool: finds tools that no request describes and shows what their inputs have to be.
import { rankTools } from '../core/tool/search';
import { defineTool, type ToolCatalog, type ToolEntry, type ToolOutput } from '../core/tool/tool';

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 20;
/** All schemas of one answer together; a longer single one is cut like every long output, and stored whole. */
const ANSWER_MAX_CHARS = 30_000;
/** Names that an answer without a match lists. */
const LISTED_MAX = 30;

export const toolsearch = defineTool({
  name: 'toolsearch',
  kind: 'search',
  description:
    'Finds tools that are not in your tool list and shows their input schemas; run them with call. By words (+word must be there), by exact name, or select:name,name.',
  schema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What is looked for', minLength: 1, maxLength: 1_000 },
      max_results: { type: 'integer', description: '5 by default', minimum: 1, maximum: MAX_RESULTS },
    },
    required: ['query'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['ToolSearch', 'tool_search', 'ToolSearchTool', 'search_tools'],
  shape: 'head',
  limits: { maxResultChars: ANSWER_MAX_CHARS },
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ query }) => `Find tools: ${query}`,

  async prepare({ query, max_results: limit = DEFAULT_RESULTS }) {
    if (query.trim() === '') return { objection: 'The query is blank. Say in a few words what the tool has to do.' };
    return { targets: [], plan: { query: query.trim(), limit } };
  },

  async run({ query, limit }: { readonly query: string; readonly limit: number }, { tools }) {
    const selected = /^select:(.*)$/s.exec(query)?.[1];
    if (selected !== undefined) return select(namesIn(selected), tools);
    const exact = tools.describe(query);
    if ('isResident' in exact && !exact.isResident) return answer([exact], 1);
    // A word that names a tool in the list may be one to look for.
    const found = rankTools(query, tools.searchable());
    if (found.length > 0) return answer(found.slice(0, limit), found.length);
    return 'isResident' in exact ? select([query], tools) : nothing(query, tools);
  },
});

function namesIn(list: string): string[] {
  return [...new Set(list.split(/[\s,]+/).filter(Boolean))];
}

function select(names: readonly string[], tools: ToolCatalog): ToolOutput {
  const described = names.map((name) => tools.describe(name));
  const found = described.flatMap((one) => ('objection' in one ? [] : [one]));
  const misses = described.flatMap((one) => ('objection' in one ? [one.objection] : []));
  if (names.length === 0) misses.push('No tool is named after select:.');
  const resident = found.filter(({ isResident }) => isResident).map(({ name }) => name);
  if (resident.length > 0) misses.push(`In your tool list already, to be called by name: ${resident.join(', ')}.`);
  if (found.length === 0) return { text: misses.join('\n'), failed: true };
  return answer(found, found.length, misses);
}

/** Whole tools only, as many as the answer holds; the first in any case. */
function answer(entries: readonly ToolEntry[], foundCount: number, remarks: readonly string[] = []): ToolOutput {
  const shown: string[] = [];
  let chars = 0;
  for (const text of entries.map(show)) {
    chars += text.length + 2;
    if (chars > ANSWER_MAX_CHARS && shown.length > 0) break;
    shown.push(text);
  }
  const more = foundCount - shown.length;
  const left = more > 0 ? [`(${more} more ${more === 1 ? 'matches' : 'match'}: name them, or narrow the query.)`] : [];
  const names = entries.slice(0, shown.length).map(({ name }) => name);
  return {
    text: shown.join('\n\n'),
    summary: [...remarks, ...left].join('\n'),
    display: { kind: 'text', text: names.join('\n') },
  };
}

function show({ name, description, inputSchema }: ToolEntry): string {
  return `${name}\n${description}\nInput schema: ${JSON.stringify(inputSchema)}`;
}

function nothing(query: string, tools: ToolCatalog): ToolOutput {
  const all = tools.searchable().map(({ name }) => name);
  if (all.length === 0) return { text: 'There are no further tools: all that can be used are in your tool list.' };
  const listed = all.slice(0, LISTED_MAX).join(', ');
  const rest = all.length > LISTED_MAX ? ` and ${all.length - LISTED_MAX} more` : '';
  return { text: `No tool matches ${JSON.stringify(query)}. Further tools there are: ${listed}${rest}.` };
}

// Tool: pages and searches the whole output of an earlier call, which the model has seen shortened at most.
import { defineTool, type RunContext, type ToolOutput } from '../core/tool/tool';

/** What one call shows at most, whatever the setting says [B03]. */
const MAX_LINES = 2_000;
/** A pattern that needs longer, the reading of the output not counted, is ended [S89]. */
const SEARCH_MS = 1_000;
const LINE_MAX_CHARS = 2_000;
const WINDOW_MAX_CHARS = 30_000;
const CONTEXT_LINES = 2;

interface Plan {
  readonly id: string;
  readonly offset: number;
  readonly limit: number;
  readonly pattern?: string;
}

export const output = defineTool({
  name: 'output',
  kind: 'read',
  description:
    'Shows the stored whole output of an earlier call, whose result was shortened or dropped: by lines, or those that match a pattern (regex, else plain text) with two lines around each.',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The call id that the shortened result names', minLength: 1 },
      offset: { type: 'integer', description: 'First line, from 1', minimum: 1 },
      limit: { type: 'integer', description: 'Number of lines', minimum: 1, maximum: MAX_LINES },
      pattern: { type: 'string', description: 'Only lines that match', minLength: 1 },
    },
    required: ['id'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['read_output', 'BashOutput', 'bash_output', 'TaskOutput', 'get_output', 'get_terminal_output'],
  searchHint: 'read a stored output',
  shape: 'window',
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ id, pattern }) =>
    pattern === undefined ? `Read the output of ${id}` : `Search ${pattern} in the output of ${id}`,

  async prepare({ id, offset = 1, limit, pattern }, { host }) {
    const lines = limit ?? Math.min(MAX_LINES, Math.max(1, host.settings.get('output.lines')));
    const plan: Plan = { id, offset, limit: lines, ...(pattern === undefined ? {} : { pattern }) };
    return { targets: [], plan };
  },

  async run(plan: Plan, ctx) {
    const info = await ctx.outputs.info(plan.id);
    if (!info) return { text: `No output is stored under ${plan.id}. Check the id, or run the tool again.` };
    const found =
      plan.pattern === undefined ? await page(plan, ctx) : await search({ ...plan, pattern: plan.pattern }, ctx);
    if (!info.isOpen) return found;
    return {
      ...found,
      summary: [found.summary ?? '', '(The call still runs and may print more.)'].filter(Boolean).join('\n'),
    };
  },
});

async function page({ id, offset, limit }: Plan, { outputs, signal }: RunContext): Promise<ToolOutput> {
  const shown: string[] = [];
  let line = 0;
  let chars = 0;
  let hasMore = false;
  for await (const text of outputs.lines(id)) {
    if (signal.aborted) break;
    line++;
    if (line < offset) continue;
    const numbered = format(line, text);
    chars += numbered.length + 1;
    hasMore = shown.length === limit || (chars > WINDOW_MAX_CHARS && shown.length > 0);
    if (hasMore) break;
    shown.push(numbered);
  }
  if (shown.length === 0) return { text: `There is no line ${offset}: the output has ${line}.` };
  const next = offset + shown.length;
  return { text: shown.join('\n'), summary: hasMore ? `(Go on with offset ${next}.)` : '(End of the output.)' };
}

async function search(
  { id, offset, limit, pattern }: Plan & { readonly pattern: string },
  ctx: RunContext,
): Promise<ToolOutput> {
  const { host, outputs, signal } = ctx;
  const query = { pattern, isLiteral: false, context: CONTEXT_LINES, maxLines: offset - 1 + limit, maxMs: SEARCH_MS };
  const asRegex = await host.search.lines(query, outputs.lines(id), signal);
  const found =
    'problem' in asRegex ? await host.search.lines({ ...query, isLiteral: true }, outputs.lines(id), signal) : asRegex;
  if ('problem' in found) return { text: found.problem, failed: true };
  const matches = found.matches.slice(offset - 1);
  const notes = [
    ...('problem' in asRegex ? ['(The pattern is no regular expression, so it was searched for as plain text.)'] : []),
    ...(found.isLate ? [`(The search was ended: the pattern takes too long on this output. Make it simpler.)`] : []),
  ];
  if (matches.length === 0) {
    const text = `No line ${offset > 1 ? 'further on ' : ''}matches ${pattern}${found.isLate ? ' as far as was searched' : ''}.`;
    return { text, summary: notes.join('\n') };
  }

  const lines: string[] = [];
  let chars = 0;
  let last = matches[0]?.line ?? 0;
  let shown = 0;
  for (const { line, text, isContext } of matches) {
    const added = [...(line > last + 1 ? ['--'] : []), format(line, text, isContext ? '-' : ':')];
    chars += added.join('\n').length + 1;
    if (chars > WINDOW_MAX_CHARS && shown > 0) break;
    lines.push(...added);
    last = line;
    shown++;
  }
  const hasMore = found.isCut || shown < matches.length;
  if (hasMore) notes.push(`(There are more: go on with offset ${offset + shown}, or narrow the pattern.)`);
  return { text: lines.join('\n'), summary: notes.join('\n') };
}

function format(line: number, text: string, mark = ''): string {
  const head = text.slice(0, LINE_MAX_CHARS).replace(/[\ud800-\udbff]$/, '');
  const more = text.length - head.length;
  return `${String(line).padStart(6)}${mark}\t${head}${more > 0 ? `… (${more} more characters)` : ''}`;
}

// Tool: pages and searches the whole output of an earlier call, which the model has seen shortened at most.
import { searchLines } from '../core/output/lineSearch';
import { defineTool, type RunContext, type ToolOutput } from '../core/tool/tool';

/** What one call shows at most, whatever the setting says [B03]. */
const MAX_LINES = 2_000;
/** A pattern that needs longer, the reading of the output not counted, is ended [S89]. */
const SEARCH_MS = 1_000;
const LINE_MAX_CHARS = 2_000;
const WINDOW_MAX_CHARS = 30_000;
const CONTEXT_LINES = 2;

/** A longer wait would hold up what the person says meanwhile. */
const WAIT_MAX_SECONDS = 60;
const POLL_MS = 250;

interface Plan {
  readonly id: string;
  /** From 1; below that counted from the end: -1 is the last line. */
  readonly offset: number;
  readonly limit: number;
  readonly pattern?: string;
  readonly waitMs: number;
  /** What was shown before is left out. */
  readonly isOnlyNew: boolean;
}

export const output = defineTool({
  name: 'output',
  kind: 'read',
  description:
    'Shows the stored whole output of an earlier call, whose result was shortened or dropped, or which still runs: by lines, or those that match a pattern (regex, else plain text) with two lines around each.',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The call id that the shortened result names', minLength: 1 },
      offset: { type: 'integer', description: 'First line, from 1; -20 for the last 20' },
      limit: { type: 'integer', description: 'Number of lines', minimum: 1, maximum: MAX_LINES },
      pattern: { type: 'string', description: 'Only lines that match', minLength: 1 },
      only_new: { type: 'boolean', description: 'Only what no earlier call of output has shown' },
      wait: {
        type: 'integer',
        description: 'Seconds to wait first until it ends, or until the pattern matches',
        minimum: 0,
        maximum: WAIT_MAX_SECONDS,
      },
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

  async prepare({ id, offset = 1, limit, pattern, only_new: isOnlyNew = false, wait = 0 }, { host }) {
    if (offset === 0) return { objection: 'There is no line 0. Lines count from 1, or from the end with -1.' };
    if (offset < 0 && pattern !== undefined)
      return { objection: 'With a pattern, offset counts the lines found, from 1.' };
    const lines = limit ?? Math.min(MAX_LINES, Math.max(1, host.settings.get('output.lines')));
    const common = { id, offset, limit: lines, waitMs: wait * 1000, isOnlyNew };
    const plan: Plan = pattern === undefined ? common : { ...common, pattern };
    return { targets: [], plan };
  },

  async run(plan: Plan, ctx) {
    const { id, pattern } = plan;
    if (!(await ctx.outputs.info(id))) {
      return { text: `No output is stored under ${id}. Check the id, or run the tool again.` };
    }
    await wait(plan, ctx);
    // Before it is read: what comes while it is read is not claimed to be the end.
    const info = await ctx.outputs.info(id);
    const found = pattern === undefined ? await page(plan, ctx) : await search({ ...plan, pattern }, ctx);
    const state = info?.isOpen ? stateOf(id, ctx) : '';
    return { ...found, summary: [found.summary ?? '', state].filter(Boolean).join('\n') };
  },
});

/** Until it has ended, or the pattern matches in what is asked for, but no longer than was asked. */
async function wait({ id, pattern, waitMs, isOnlyNew }: Plan, ctx: RunContext): Promise<void> {
  const { clock } = ctx.host;
  const endMs = clock.elapsed() + waitMs;
  const query = { pattern: pattern ?? '', context: 0, maxLines: 1, maxMs: SEARCH_MS };
  let from = isOnlyNew ? await firstNew(id, ctx) : 1;
  // Its output may be complete before it is over.
  const goesOn = async () => ctx.tasks.whenEnded(id) !== undefined || (await ctx.outputs.info(id))?.isOpen;
  while (!ctx.signal.aborted && clock.elapsed() < endMs && (await goesOn())) {
    if (pattern !== undefined) {
      let last = from;
      const found = await searchLines(query, () => linesFrom(from, id, ctx, (line) => (last = line)), ctx);
      if ('problem' in found || found.matches.length > 0) return;
      // The last one may not have been complete.
      from = last;
    }
    const ended = ctx.tasks.whenEnded(id);
    await Promise.race([clock.sleep(POLL_MS, ctx.signal), ...(ended ? [ended] : [])]);
  }
}

async function* linesFrom(
  from: number,
  id: string,
  { outputs }: RunContext,
  tell: (line: number) => void = () => {},
): AsyncGenerator<string> {
  let line = 0;
  for await (const text of outputs.lines(id)) {
    line++;
    if (line < from) continue;
    tell(line);
    yield text;
  }
}

/** A line that was not complete when it was shown comes again, whole. */
async function firstNew(id: string, { outputs, tasks }: RunContext): Promise<number> {
  const mark = tasks.lastRead(id);
  if (!mark) return 1;
  let line = 0;
  for await (const text of outputs.lines(id)) {
    if (++line === mark.line) return text.length > mark.chars ? line : line + 1;
  }
  return mark.line + 1;
}

async function firstOfLast(count: number, id: string, { outputs }: RunContext): Promise<number> {
  let lines = 0;
  for await (const _ of outputs.lines(id)) lines++;
  return Math.max(1, lines + 1 - count);
}

function stateOf(id: string, { tasks, host }: RunContext): string {
  const task = tasks.list().find((one) => one.id === id);
  if (!task) return '(The call still runs and may print more.)';
  const seconds = Math.round((host.clock.now() - task.startedAt) / 1000);
  return `(It has been running for ${seconds} s and may print more.)`;
}

async function page({ id, offset: wanted, limit, isOnlyNew }: Plan, ctx: RunContext): Promise<ToolOutput> {
  const { outputs, signal, tasks } = ctx;
  const offset = isOnlyNew ? await firstNew(id, ctx) : wanted < 0 ? await firstOfLast(-wanted, id, ctx) : wanted;
  const shown: string[] = [];
  let last = '';
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
    last = text;
  }
  if (shown.length === 0 && isOnlyNew) return { text: 'Nothing new.' };
  if (shown.length === 0) return { text: `There is no line ${offset}: the output has ${line}.` };
  const next = offset + shown.length;
  if (next - 1 >= (tasks.lastRead(id)?.line ?? 0)) tasks.markRead(id, { line: next - 1, chars: last.length });
  return { text: shown.join('\n'), summary: hasMore ? `(Go on with offset ${next}.)` : '(End of the output.)' };
}

async function search(
  { id, offset, limit, pattern, isOnlyNew }: Plan & { readonly pattern: string },
  ctx: RunContext,
): Promise<ToolOutput> {
  const from = isOnlyNew ? await firstNew(id, ctx) : 1;
  const query = { pattern, context: CONTEXT_LINES, maxLines: offset - 1 + limit, maxMs: SEARCH_MS };
  const found = await searchLines(query, () => linesFrom(from, id, ctx), ctx);
  if ('problem' in found) return { text: found.problem, failed: true };
  const matches = found.matches.slice(offset - 1).map((match) => ({ ...match, line: match.line + from - 1 }));
  const notes = [
    ...(found.isLiteral ? ['(The pattern is no regular expression, so it was searched for as plain text.)'] : []),
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

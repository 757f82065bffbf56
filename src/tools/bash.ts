// Tool: one shell command, shown live, with its complete output and its exit code.
import type { Display } from '../common/display';
import { ownRepositories } from '../core/command/repositories';
import { touchedTargets } from '../core/command/targets';
import { onlyReads } from '../core/command/types';
import { loadGrammar, notUnderstood, understand } from '../core/command/understand';
import { pathFromCwd } from '../core/files/naming';
import { resolvePath } from '../core/files/paths';
import type { Path } from '../core/host';
import { labelOf, placeIn, unsureOf, type Place } from '../core/sandbox';
import type { ShellExit } from '../core/shell';
import { outputKindOf } from '../core/output/commandKind';
import { TerminalText } from '../core/output/terminal';
import { changedCommand } from '../core/tool/changed';
import { conclude, shownExit } from '../core/tool/commandEnd';
import { answerWhenReady } from '../core/tool/readiness';
import { defineTool, type Amended, type Changeable, type ToolContext } from '../core/tool/tool';

/** Source: [K02]. */
const MAX_TIMEOUT_MS = 600_000;
const TAIL_CHARS = 4_000;
const PATTERN_MAX_CHARS = 1_000;
/** How far a command's output may run ahead of the store before the command is held back. */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

interface Input {
  readonly command: string;
  readonly description?: string;
  readonly timeout?: number;
  readonly cwd?: string;
  readonly run_in_background?: boolean;
  readonly ready_pattern?: string;
  readonly outside_sandbox?: boolean;
}

interface Plan {
  readonly command: string;
  readonly cwd: Path;
  readonly timeoutMs: number;
  /** Its call is answered before it ends: at once, or when `readyPattern` appears. */
  readonly isBackground: boolean;
  readonly readyPattern?: string;
  /** Its text says that it leaves something running. */
  readonly leavesRunning: boolean;
  /** The folder the session stood in is gone, so that it starts over in the workspace. */
  readonly hasMoved: boolean;
  readonly place?: Place;
}

export const bash = defineTool({
  name: 'bash',
  kind: 'shell',
  description: ({ shell }) =>
    `Runs a command in ${shell.name}, in the person's view, and gives its output (stdout and stderr) and exit code. Each run is a new shell; only the folder that cd leads to is kept. Give what a program would ask for as options: nobody may be there to answer. Everything it starts ends with it: start servers and watchers with run_in_background, without &. Quote paths with blanks. To read, search or edit files use the other tools.`,
  guide: 'bash runs builds, tests and git; give a longer timeout to what takes long.',
  schema: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command, one or several lines', minLength: 1 },
      description: { type: 'string', description: 'What it does, in 3 to 8 words, for the person' },
      timeout: {
        type: 'integer',
        description: 'Milliseconds it may take, 60000 by default',
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
      },
      cwd: { type: 'string', description: 'The folder to run in; by default the current one' },
      run_in_background: { type: 'boolean', description: 'Answers while it runs on, without a time limit' },
      ready_pattern: {
        type: 'string',
        description: 'In the background: answers once its output matches (regex, else plain text), within 30 s',
        minLength: 1,
        maxLength: PATTERN_MAX_CHARS,
      },
      outside_sandbox: {
        type: 'boolean',
        description: 'Ask the person to run it outside the sandbox, where it failed inside',
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  aliases: [
    ...['shell', 'sh', 'terminal', 'BashTool', 'powershell', 'pwsh', 'PowerShellTool'],
    ...['run_shell_command', 'execute_command', 'run_command', 'run_terminal_cmd'],
  ],
  basic: true,
  searchHint: 'run a command',
  shape: 'tail',
  interrupt: 'error',
  modes: 'all',
  load: loadGrammar,
  // What it only reads may lead anywhere all the same: that is judged by its targets.
  readOnly: ({ command }) => onlyReads(understand(command)),
  concurrent: ({ command }) => {
    const line = understand(command);
    return onlyReads(line) && line.commands.every(({ words }) => words[0] !== 'cd');
  },
  background: startsThere,
  title: ({ command, description }) => description ?? command,

  async prepare(input, ctx) {
    const { command, timeout, cwd, ready_pattern, outside_sandbox } = input;
    const { host } = ctx;
    if (command.trim() === '') return { objection: 'The command is empty. Send the command to run.' };
    if (command.includes('\0')) return { objection: 'The command holds a NUL character, which no shell can take.' };
    const isBackground = startsThere(input);
    const noRoom = isBackground ? ctx.tasks.noRoom() : undefined;
    if (noRoom !== undefined) return { objection: noRoom };
    const place = await startFolder(cwd, ctx);
    if ('objection' in place) return place;
    const sandbox = placeIn(await host.shell.sandbox?.(), outside_sandbox === true);
    if ('objection' in sandbox) return sandbox;
    const known =
      host.shell.name === 'powershell'
        ? notUnderstood(command, host.shell.name)
        : understand(command, await ownRepositories(place.cwd, host));
    const { targets, line } = await touchedTargets(known, place.cwd, host);
    const plan: Plan = {
      ...{ command, timeoutMs: timeout ?? host.settings.get('shell.timeoutMs'), ...place, ...sandbox },
      ...{ isBackground, leavesRunning: line.leavesRunning },
      ...(ready_pattern === undefined ? {} : { readyPattern: ready_pattern }),
    };
    const preview: Display = {
      ...{ kind: 'shell', command, cwd: plan.cwd, tail: '', moreChars: 0 },
      ...labelOf(plan.place, host.settings.get('shell.sandbox') !== 'off'),
    };
    const all = [{ op: 'execute', command, cwd: plan.cwd, line, ...sandbox } as const, ...targets];
    return { targets: all, preview, plan, proposal: proposalOf(input, ctx) };
  },

  async run(plan: Plan, ctx) {
    const { command, cwd, timeoutMs, isBackground, readyPattern: pattern, hasMoved, place } = plan;
    const { host, call, session, signal, released, out } = ctx;
    const text = new TerminalText();
    const label = labelOf(place, host.settings.get('shell.sandbox') !== 'off');
    let tail = '';
    let aheadBytes = 0;
    let isWaiting = false;
    const show = (exit?: ShellExit) => {
      const shown = tail + text.pending();
      const cutTail = shown.slice(-TAIL_CHARS).replace(/^[\udc00-\udfff]/, '');
      const moreChars = Math.max(0, out.chars + text.pending().length - cutTail.length);
      const waits = isWaiting && !exit ? ({ waits: true } as const) : {};
      const ended = { ...shownExit(exit), ...unsureOf(exit, (path) => pathFromCwd(path, ctx)) };
      return { kind: 'shell', command, cwd, ...label, tail: cutTail, moreChars, ...waits, ...ended } as const;
    };
    const readiness = isBackground ? answerWhenReady({ pattern, unfinished: () => text.pending() }, ctx) : undefined;
    const write = (piece: string) => {
      if (piece === '') return;
      out.write(piece);
      readiness?.write(piece);
      tail = (tail + piece).slice(-TAIL_CHARS);
    };
    // In the background it is read while it grows, and a server may be silent after the line that counts; who stops it does not wait.
    const handOn = () => write(text.settle());
    for (const each of [signal, released]) each.addEventListener('abort', handOn, { once: true });
    ctx.progress(show());
    const exit = await host.shell.run({
      ...{ call, session, command, cwd, timeoutMs, signal, released },
      ...(place ? { place } : {}),
      onOutput(bytes) {
        write(text.push(bytes));
        if (signal.aborted || released.aborted) handOn();
        ctx.progress(show());
        aheadBytes += bytes.length;
        if (aheadBytes < MAX_AHEAD_BYTES) return undefined;
        aheadBytes = 0;
        return out.drained();
      },
      onWaiting(found) {
        isWaiting = found;
        ctx.progress(show());
      },
    });
    readiness?.end();
    write(text.end());
    if (hasMoved && !released.aborted) ctx.setCwd(cwd);
    const concluded = await conclude(exit, { ...plan, maxTimeoutMs: MAX_TIMEOUT_MS }, ctx);
    return { ...concluded, outputKind: outputKindOf(command), display: show(exit) };
  },
});

/** A pattern is waited for in the background only. */
function startsThere({ run_in_background, ready_pattern }: Input): boolean {
  return run_in_background ?? ready_pattern !== undefined;
}

/** What a person makes of the command is looked at like any other; a description of the model's would be of another one. */
function proposalOf(input: Input, ctx: ToolContext): Changeable<Plan> {
  const amend = async (command: string): Promise<Amended<Plan>> => {
    const { description: _, ...changed } = { ...input, command };
    const prepared = await bash.prepare(changed, ctx);
    return 'objection' in prepared ? prepared : { ...prepared, input: changed, remark: changedCommand(command) };
  };
  return { kind: 'command', text: input.command, amend };
}

async function startFolder(
  written: string | undefined,
  ctx: ToolContext,
): Promise<Pick<Plan, 'cwd' | 'hasMoved'> | { readonly objection: string }> {
  const { host } = ctx;
  const isFolder = async (path: Path) => (await host.files.stat(path))?.kind === 'directory';
  if (written !== undefined) {
    const resolved = await resolvePath(written, ctx);
    if ('objection' in resolved) return resolved;
    if (await isFolder(resolved.path)) return { cwd: resolved.path, hasMoved: false };
    return {
      objection: `${resolved.shown} is not a folder, so nothing can run in it. Give the cwd of a folder, or none.`,
    };
  }
  if (await isFolder(ctx.cwd())) return { cwd: ctx.cwd(), hasMoved: false };
  const [root] = host.roots();
  if (root && (await isFolder(root.path))) return { cwd: root.path, hasMoved: true };
  return { objection: `The folder ${ctx.cwd()} does not exist. Give the cwd of one that does.` };
}

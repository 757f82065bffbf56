// How a command has ended, in words: for the model, what to do next; for people, what happened. And the folder that it leaves the session in.
import { tellable } from '../access/hidden';
import { pathFromCwd } from '../files/naming';
import { nameInRoots } from '../files/paths';
import type { Path } from '../host';
import { sandboxNotes } from '../sandbox';
import type { ShellExit } from '../shell';
import type { RunContext, ToolOutput } from './tool';

/** What was known of it before. */
export interface EndedCommand {
  readonly cwd: Path;
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** Its text says that it leaves something running. */
  readonly leavesRunning: boolean;
  /** The folder the session stood in was gone. */
  readonly hasMoved: boolean;
}

type Started = ShellExit & { readonly ok: true };

const MOVED = 'The former folder is gone, so this ran in the workspace folder.';
const STARTED_ALONE =
  'Nothing outlives its command. What is to go on is started by itself, without &, with run_in_background.';
const UNSEEN = ': the command saw the text on disk';
const NAMED_FILES = 5;

/** Keeps the folder that `cd` has led to, if it is in the workspace. */
export async function conclude(exit: ShellExit, ended: EndedCommand, ctx: RunContext): Promise<ToolOutput> {
  if (!exit.ok) return { text: exit.reason, failed: true };
  const failed = exit.code !== 0 || exit.timedOut || exit.wasStopped || exit.wroteTooMuch === true;
  const moved = ended.hasMoved ? [MOVED] : [];
  const answered = exit.wasAnswered ? ['The person typed into it.'] : [];
  const name = (path: Path) => pathFromCwd(path, ctx);
  const toldUnsaved = unsavedFiles(await tellable(exit.unsaved ?? [], ctx.host), ctx);
  const unsaved = unsavedFiles(exit.unsaved ?? [], ctx);
  const folder = await followFolder(exit.cwd, ctx, ended.cwd);
  const hints = ended.leavesRunning || exit.leftRunning ? [STARTED_ALONE] : [];
  const left = leftNotes(exit);
  const summary = [
    ...[...moved, ...endNotes(exit, ended, ctx), ...answered, ...left],
    ...sandboxNotes(await withoutHiddenNames(exit, ctx), name),
    ...toldUnsaved.map(
      (names) => `The person has unsaved changes in ${names}${UNSEEN}, which differs from what read shows.`,
    ),
    ...[...folder, ...hints],
  ].join('\n');
  const forPeople = [
    ...[...moved, ...endForPeople(exit, ended, ctx), ...left, ...sandboxNotes(exit, name)],
    ...unsaved.map((names) => `You have unsaved changes in ${names}${UNSEEN}.`),
    ...folder,
  ].join('\n');
  return { failed, ...(summary && { summary }), ...(forPeople !== summary && { forPeople }) };
}

/** Of a display; nothing while it runs. */
export function shownExit(exit: ShellExit | undefined) {
  if (!exit) return {};
  if (!exit.ok) return { exit: { code: null, timedOut: false } };
  const { code, signal, timedOut } = exit;
  return { exit: { code, ...(signal === undefined ? {} : { signal }), timedOut } };
}

function endNotes(exit: Started, { timeoutMs, maxTimeoutMs }: EndedCommand, { signal }: RunContext): readonly string[] {
  if (exit.timedOut) {
    return [
      `It was ended because it took longer than ${timeoutMs / 1000} s; what it printed until then is above. Give a longer timeout (at most ${maxTimeoutMs}) if it needs it.`,
    ];
  }
  if (exit.wroteTooMuch) {
    return ['It was ended because it wrote more than is kept. Send its output to a file, or print less.'];
  }
  if (exit.wasClosed) return ['The person closed its terminal, which ended it.'];
  // Who ended it otherwise than in the terminal is told besides.
  if (exit.wasStopped) return signal.aborted ? [] : ['The person stopped it.'];
  return codeNotes(exit);
}

function endForPeople(exit: Started, { timeoutMs }: EndedCommand, { signal }: RunContext): readonly string[] {
  if (exit.timedOut) return [`Ended: it took longer than ${duration(timeoutMs)}.`];
  if (exit.wroteTooMuch) return ['Ended: it wrote more than a gigabyte, the most that is kept.'];
  if (exit.wasClosed) return ['You closed its terminal, which ended it.'];
  if (exit.wasStopped) return [signal.aborted ? 'It was stopped.' : 'You stopped it.'];
  return codeNotes(exit);
}

function codeNotes({ code, signal }: Started): readonly string[] {
  if (code === null) return [`Killed by ${signal ?? 'a signal'}.`];
  return code === 0 ? [] : [`Exit code ${code}.`];
}

function leftNotes({ leftRunning: left = 0 }: Started): readonly string[] {
  if (left === 0) return [];
  return [`${left} ${left === 1 ? 'process' : 'processes'} it had left running ended with it.`];
}

function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.round(seconds / 6) / 10;
  return `${minutes} minutes`;
}

/** The model is not told of what a command made in hidden places. */
async function withoutHiddenNames(exit: Started, { host }: RunContext): Promise<Started> {
  const { setAside, mayTakeEffect } = exit;
  return {
    ...exit,
    ...(setAside && { setAside: await tellable(setAside, host) }),
    ...(mayTakeEffect && { mayTakeEffect: await tellable(mayTakeEffect, host) }),
  };
}

/** Their names in one text, if there are any. */
function unsavedFiles(unsaved: readonly Path[], ctx: RunContext): readonly string[] {
  if (unsaved.length === 0) return [];
  const more = unsaved.length - NAMED_FILES;
  const named = unsaved.slice(0, NAMED_FILES).map((path) => pathFromCwd(path, ctx));
  return [[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')];
}

/** Where the shell stood at its end, links resolved, is where the next one starts, as long as that is in the workspace. */
async function followFolder(stood: Path, ctx: RunContext, startedIn: Path): Promise<readonly string[]> {
  const { host, released } = ctx;
  const hasStayed = stood === startedIn || stood === (await host.files.realPath(startedIn));
  const path = await nameInRoots(stood, host);
  // Where others have gone meanwhile is theirs.
  if (released.aborted || hasStayed || path === ctx.cwd()) return [];
  if (path === undefined)
    return [`The folder ${stood} is outside the workspace, so the next command starts in ${ctx.cwd()} again.`];
  ctx.setCwd(path);
  return [`The current folder is now ${path}.`];
}

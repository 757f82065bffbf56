// What is handed to the system so that a program starts: pure, since batch files and `cmd.exe` exist on Windows alone.
import type { Path } from '../core/host';
import { systemProgram } from './powershell';

export interface CommandLine {
  readonly file: Path;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly isQuoted?: true;
}

export type CommandLineOrProblem = CommandLine | { readonly problem: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** A line for the system's own shell, by its absolute path: `cmd.exe` alone would be looked for in the current folder first (S12). */
export function shellLine(line: string, os: NodeJS.Platform, env: Environment): CommandLine {
  if (os !== 'win32') return { file: '/bin/sh', args: ['-c', line] };
  return { file: systemProgram('cmd.exe', env), args: ['/d', '/s', '/c', `"${line}"`], isQuoted: true };
}

/** A program that was found, with its arguments. Batch files have to be run by `cmd.exe`, which reads their arguments once more. */
export function programLine(
  file: Path,
  args: readonly string[],
  os: NodeJS.Platform,
  env: Environment,
): CommandLineOrProblem {
  if (os !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return { file, args };
  const all = [file, ...args];
  if (all.some((text) => READ_ONCE_MORE.test(text))) return { problem: `${file} ${BATCH_PROBLEM}` };
  return shellLine(all.map((text) => `"${text.replace(/\\+$/, '$&$&')}"`).join(' '), os, env);
}

/** Not even quotes keep `cmd.exe` from reading these. */
const READ_ONCE_MORE = /["%!\r\n]/;
const BATCH_PROBLEM =
  'is a batch file, and what is given to one may hold no quote, percent sign, exclamation mark or line end. Name the program that it starts instead, such as node with the path of its script.';

// Command lines as they are understood, put together by hand for what is decided about them.
import type { CommandLine, SimpleCommand } from '../../src/core/command/types';

export function simple(text: string, more: Partial<SimpleCommand> = {}): SimpleCommand {
  return { text, words: text.split(' '), readsOnly: false, risks: [], ...more };
}

export function line(commands: readonly SimpleCommand[], more: Partial<CommandLine> = {}): CommandLine {
  return { commands, doubts: [], touches: [], scripts: [], deeds: [], leavesRunning: false, ...more };
}

/** Plain words are one command; anything else is doubted. */
export function plainLine(text: string): CommandLine {
  return /[^\w./:=@%+,\- ]/.test(text)
    ? line([simple(text, { words: [] })], { doubts: ['It is not plain'] })
    : line([simple(text)]);
}

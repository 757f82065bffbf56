// What a call will touch, and the rules that decide about it.
import type { AskPart } from '../../common/asks';
import type { CommandLine, Named } from '../command/types';
import type { Path } from '../host';

/** One thing a call will touch. The only source for rules, path checks, locks, checkpoints and links. */
export type Target =
  | {
      readonly op: 'read' | 'write' | 'delete';
      readonly path: Path;
      /** A command does it with its arguments: who allows the command allows it, as long as it is inside and not protected. */
      readonly isImplied?: boolean;
      /** A program is given its name, and nobody knows more: it counts where it is protected, hidden or outside the workspace. */
      readonly named?: Named;
      /** Found in a folder that a command reads whole: nobody has named it, and the model may not know that it is there. */
      readonly isFound?: boolean;
      /** That the text to be written names anew, and that are fetched by whoever opens the file (S40). */
      readonly addresses?: readonly string[];
    }
  | {
      readonly op: 'execute';
      readonly command: string;
      readonly cwd: Path;
      /** What it is made of; absent where nobody could tell, and then no part of it passes by itself. */
      readonly line?: CommandLine;
      /** Inside: it runs in the sandbox or not at all. Outside: there is a sandbox, and it is not to be used. */
      readonly place?: 'inside' | 'outside';
    }
  | { readonly op: 'fetch'; readonly url: string }
  /** Whatever has no path, command or address: an MCP tool, a setting. */
  | { readonly op: 'use'; readonly name: string };

export type Effect = 'allow' | 'ask' | 'deny';

/**
 * `tool` or `tool(pattern)`: `bash(git status:*)`, `edit(src/**)`, `webfetch(domain:example.com)`, `mcp__server`.
 * Without a pattern it covers every call of the tool.
 */
export interface Rule {
  readonly effect: Effect;
  readonly tool: string;
  readonly pattern?: string;
  /** For a command: the only folder it holds in, since the same words do something else elsewhere. */
  readonly cwd?: Path;
  readonly source: 'user' | 'workspace' | 'session';
  /** Given when content that nobody vouches for was in the conversation already (S90). */
  readonly isAfterTaint?: true;
}

export type Verdict =
  /** `because` names the rule or the mode, for people. */
  | { readonly effect: 'allow'; readonly because: string }
  | { readonly effect: 'ask'; readonly reasons: readonly string[]; readonly parts?: readonly AskPart[] }
  /** `because` goes to the model and says what it may do instead. */
  | { readonly effect: 'deny'; readonly because: string };

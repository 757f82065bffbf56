// What a shell command is made of, as far as that can be known without running it.
import type { DeedKind } from '../../common/deeds';
import type { Recipes } from './scripts';

export type { DeedKind as Deed } from '../../common/deeds';

/** One program with its arguments. */
export interface SimpleCommand {
  /** As it is written. */
  readonly text: string;
  /** The words that the program gets, itself first, harmless wrappers (`timeout 5`, `nice`, `nohup`) taken off. Empty where they are not literal. */
  readonly words: readonly string[];
  /** It only reads, whatever its arguments lead to; what they name is among `CommandLine.touches`. */
  readonly readsOnly: boolean;
  /** Parts of the repository that it shows, as they are now or were before; nobody can tell which of their files. */
  readonly shows?: readonly Touched[];
  /** Why only the exact text of the whole command may be allowed for longer, in words; absent where a rule by its first words may cover it. */
  readonly onlyExact?: string;
  /** What a person should know before allowing it, in words, most important first: "Deletes files", "Reaches the network". */
  readonly risks: readonly string[];
}

/** A file that a command reads, writes or deletes, by a redirection or as an operand of a program that is known. */
export interface Touched {
  readonly op: 'read' | 'write' | 'delete';
  /** It is what the program does with its arguments, and not a redirection: who allows the program allows it, as long as it is nothing protected. */
  readonly isImplied?: boolean;
  /** A program is given its name, and nobody knows more: `may change` where it may be written as well. */
  readonly named?: Named;
  /** As written, but relative to where the whole command starts: folders that `cd` led to are put before it. */
  readonly path: string;
  /** `path` is a pattern of the shell: it stands for what it matches. */
  readonly isGlob?: boolean;
  /** What the pattern stands for is no file to the program, but its names may be shown. */
  readonly isWord?: boolean;
  /** Not read but shown as the repository has or had it; `all`: whatever is in that. */
  readonly inRepository?: 'all' | 'part';
  /** Where it is a folder, what lies in it is read too. */
  readonly isDeep?: boolean;
  /** Names are shown, of what lies in a folder too, and nothing of what is in files. */
  readonly onlyNamed?: boolean;
  /** Only where nothing is piped into the program. */
  readonly isWithoutInput?: boolean;
  /** Ignored files in it and those whose names begin with a dot are not read. */
  readonly keepsIgnored?: boolean;
  /** Links in it are followed. */
  readonly followsLinks?: boolean;
  /** Of the files in it only those are read whose names match one of these. */
  readonly onlyNames?: readonly string[];
}

/** What may be done with a path by a program that is given its name. */
export type Named = 'reads' | 'may change';

export interface CommandLine {
  /** The simple commands in the order they are written, those inside substitutions too. */
  readonly commands: readonly SimpleCommand[];
  /** Why it is not understood, in words for people: it does not parse, or something in it hides what it runs. Empty when it is. */
  readonly doubts: readonly string[];
  /** Nobody wants this: it is refused in every mode (S23). In words. */
  readonly critical?: string;
  readonly touches: readonly Touched[];
  /** Workspace scripts that it runs: an approval holds for their content only (S21). Paths as in `touches`. */
  readonly scripts: readonly string[];
  /** What programs look for by themselves, in these folders and those above, to be told what to run (S14). */
  readonly recipes?: readonly Recipes[];
  /** Options of which nobody knows whether they name one more script, so that no approval can hold for what runs. */
  readonly unbound?: readonly string[];
  /** What people want to know of whatever their rules say: it goes into history, or to others. */
  readonly deeds: readonly DeedKind[];
  /** It starts something with `&` or `nohup` that is to go on after it. */
  readonly leavesRunning: boolean;
}

/** Whether it is understood and nothing in it does more than read. */
export function onlyReads({ commands, doubts, critical, touches }: CommandLine): boolean {
  if (doubts.length > 0 || critical !== undefined || commands.length === 0) return false;
  return commands.every(({ readsOnly }) => readsOnly) && touches.every(({ op }) => op === 'read');
}

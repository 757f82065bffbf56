// From the text of a command to what it is made of. Whatever is not known for sure is a doubt: nothing is guessed in a command's favour.
import { isForkBomb } from './critical';
import type { ParseBash } from './grammar';
import { Reading } from './reading';
import { COMMAND_MAX_CHARS, scan } from './scan';
import type { CommandLine } from './types';

let parse: ParseBash | undefined;
let loading: Promise<void> | undefined;

/** To be awaited before `understand`. */
export function loadGrammar(): Promise<void> {
  loading ??= import('./grammar')
    .then(async ({ createBashParser }) => {
      parse = await createBashParser();
    })
    .catch((error: unknown) => {
      // The next call tries again.
      loading = undefined;
      throw error;
    });
  return loading;
}

/** Commands in one line; beyond them it is not looked at. Source: security S15. */
const COMMANDS_MAX = 50;

/** Pure. Never throws; before `loadGrammar` nothing is understood. `repositories`: folders in which git is at home, '' the one it starts in. */
export function understand(command: string, repositories: readonly string[] = ['']): CommandLine {
  const reading = new Reading(parseFor(command), repositories);
  reading.readWhole(command);
  const doubts = [...scan(command), ...reading.doubts];
  if (reading.commands.length > COMMANDS_MAX) doubts.push(`It has more than ${COMMANDS_MAX} commands.`);
  const critical = isForkBomb(command) ? 'It would start itself until nothing else can run' : reading.critical;
  return {
    commands: reading.commands,
    doubts: [...new Set(doubts)],
    ...(critical === undefined ? {} : { critical }),
    touches: reading.touches,
    scripts: [...new Set(reading.scripts)],
    ...(reading.recipes.length > 0 ? { recipes: reading.recipes } : {}),
    ...(reading.unbound.size > 0 ? { unbound: [...reading.unbound] } : {}),
    deeds: [...new Set(reading.deeds)],
    leavesRunning: reading.leavesRunning,
  };
}

/** For another shell than bash, whose grammar is not known here (S20). */
export function notUnderstood(command: string, shell: string): CommandLine {
  const text = command.trim();
  return {
    commands: [{ text, words: [], readsOnly: false, onlyExact: `${shell} is not understood`, risks: [] }],
    doubts: [...scan(command), `What ${shell} makes of it is not known.`],
    touches: [],
    scripts: [],
    deeds: [],
    leavesRunning: false,
  };
}

/** A long text is parsed in pieces at the ends of commands, so that what is forbidden is found in it all the same. */
function parseFor(command: string): ParseBash {
  return (text) =>
    parse === undefined || Math.max(text.length, command.length) > COMMAND_MAX_CHARS * 10 ? undefined : parse(text);
}

// What rules say about a shell command: one covers it part by part, or by the exact text of all of it.
import type { AskPart } from '../../common/asks';
import type { Mode } from '../../common/modes';
import { wordsToName } from '../command/exact';
import { coversCommand, coversWhole } from '../command/covers';
import { deedsOf, DESTROYS, NETWORK, PUBLISHES } from '../command/risks';
import type { SimpleCommand } from '../command/types';
import { hidesInCommand } from './protected';
import { formatRule, type LocatedCommand } from './rules';
import type { Rule } from './types';

/** What lets a command pass, or why it needs a person. */
export interface CommandJudgement {
  /** Why it needs a person, most important first; empty when it passes. */
  readonly reasons: readonly string[];
  /** What lets it pass, in words; of a command that does not pass: what lets some of its parts pass. */
  readonly because: readonly string[];
  readonly parts: readonly AskPart[];
  /** A rule allows exactly this command, so whoever allowed it has seen all that it touches. */
  readonly isExact: boolean;
  /** Rules allow every part that does more than read. */
  readonly isByRules: boolean;
  /** It passes since it can do nothing but write in the workspace. */
  readonly isInside: boolean;
}

export interface CommandRules {
  readonly mode: Mode;
  /** Those that name the tool. */
  readonly rules: readonly Rule[];
  /** Content that nobody vouches for is in the conversation: what sends something out is allowed only by who knew that (S90). */
  readonly isTainted: boolean;
}

/** The first rule of that effect that catches some part of a command; `deny` and `ask` rules only, since those need no more. */
export function catching(
  effect: 'ask' | 'deny',
  { command, line }: LocatedCommand,
  rules: readonly Rule[],
): Rule | undefined {
  return rules.find(({ effect: of, pattern }) => {
    if (of !== effect) return false;
    if (pattern === undefined || coversWhole(pattern, command)) return true;
    return line?.commands.some((part) => coversCommand(pattern, part, effect)) ?? false;
  });
}

export function judgeCommand(target: LocatedCommand, context: CommandRules): CommandJudgement {
  const { mode, rules, isTainted } = context;
  const { line, command, located } = target;
  const commands = line?.commands ?? [];
  const allowing = rules.filter((rule) => rule.effect === 'allow' && holdsIn(rule, target));
  const usable = (leaving: boolean) => (isTainted && leaving ? allowing.filter((rule) => rule.isAfterTaint) : allowing);
  const judged = commands.map((part) => judgePart(part, usable(sendsOut(part)), mode));
  const parts = judged.map(({ part }, at) => (isContained(commands[at], target, rules) ? contained(part) : part));
  const by = [...new Set(judged.flatMap(({ rule }) => (rule ? [ruleText(rule)] : [])))];
  const isByRules = by.length > 0 && judged.every(({ part, rule }) => part.verdict === 'reads' || rule !== undefined);
  const common = { parts, because: by, isByRules, isExact: false, isInside: false };
  if (mode === 'bypass') return { ...common, reasons: [] };
  if (passesInside(target, rules)) return { ...common, reasons: [], because: ['the sandbox'], isInside: true };

  const stale = [
    ...(target.changedScripts ?? []).map((script) => `Runs ${script}, which has changed since it was allowed`),
    ...(line?.unbound ?? []).map((word) => `What it runs cannot be told (${word}), so no rule covers it`),
  ];
  const hides = hidesInCommand(command);
  // What nobody could take apart may send something out.
  const leaves = line === undefined || line.doubts.length > 0 || commands.some(sendsOut);
  const isText = ({ pattern }: Rule) => pattern !== undefined && coversWhole(pattern, command);
  const exact = hides || commands.some(destroys) ? undefined : usable(leaves).find(isText);
  if (exact && stale.length === 0 && target.place !== 'outside')
    return { ...common, reasons: [], because: [ruleText(exact)], isExact: true };

  const asking = commands.filter((_, at) => judged[at]?.part.verdict === 'asks');
  const couldBefore = isTainted && allowing.some((rule) => isText(rule) || asking.some((part) => allows(rule, part)));
  const reasons = [
    ...(target.place === 'outside' ? ['Runs outside the sandbox'] : []),
    ...(located.root ? [] : [`Runs a command outside the workspace, in ${located.shown}`]),
    ...(hides ? ['Invisible characters in the command'] : []),
    ...(line?.doubts ?? []).map((doubt) => `Cannot be understood: ${doubt}`),
    ...(couldBefore ? [TAINTED] : []),
    ...stale,
    ...new Set(asking.flatMap(({ risks }) => risks)),
  ];
  // Nothing to judge is nothing that could pass.
  const isHeld = asking.length > 0 || commands.length === 0;
  return { ...common, reasons: isHeld && reasons.length === 0 ? ['Runs a command'] : reasons };
}

/**
 * What can only write in the workspace and reach nothing else needs nobody, unless people want to know of it, or a rule
 * holds some commands back and nobody can tell whether this is one of them.
 */
function passesInside({ place, command, located, line }: LocatedCommand, rules: readonly Rule[]): boolean {
  if (
    place !== 'inside' ||
    hidesInCommand(command) ||
    !located.root ||
    !line ||
    line.critical !== undefined ||
    line.deeds.length > 0 ||
    line.commands.some(destroys)
  )
    return false;
  return line.doubts.length === 0 || !rules.some(({ effect }) => effect !== 'allow');
}

/** Of a command that asks although it runs in the sandbox: this part of it is not why. */
function isContained(
  part: SimpleCommand | undefined,
  { place, command, located, line }: LocatedCommand,
  rules: readonly Rule[],
): boolean {
  if (!part || place !== 'inside' || hidesInCommand(command) || !located.root || line?.doubts.length !== 0)
    return false;
  if (destroys(part) || deedsOf(part.words).length > 0) return false;
  return !rules.some(({ effect, pattern }) => {
    return effect === 'ask' && (pattern === undefined || coversCommand(pattern, part, 'ask'));
  });
}

function contained(part: AskPart): AskPart {
  return part.verdict === 'asks' ? { ...part, verdict: 'allowed', notes: ['the sandbox', ...part.notes] } : part;
}

/** Said where a rule from before would have allowed it. */
export const TAINTED =
  'Sends something out, and this session has read content from the web or an MCP server, which may try to steer it';

function judgePart(
  command: SimpleCommand,
  rules: readonly Rule[],
  mode: Mode,
): { readonly part: AskPart; readonly rule?: Rule } {
  const { text, risks, onlyExact, readsOnly } = command;
  if (readsOnly) return { part: { text, verdict: 'reads', notes: risks } };
  const rule = rules.find((one) => allows(one, command));
  if (rule) return { part: { text, verdict: 'allowed', notes: [ruleText(rule), ...risks] }, rule };
  const isKnown = onlyExact === undefined && wordsToName(command.words) === 1;
  const isHarmless = risks.length === 0 && isKnown && !sendsOut(command);
  if (mode === 'auto' && isHarmless) return { part: { text, verdict: 'allowed', notes: ['Auto mode'] } };
  return { part: { text, verdict: 'asks', notes: [...risks, ...(onlyExact === undefined ? [] : [onlyExact])] } };
}

function allows({ pattern }: Rule, command: SimpleCommand): boolean {
  if (command.onlyExact !== undefined || destroys(command)) return false;
  return pattern === undefined || coversCommand(pattern, command, 'allow');
}

/** As people read it. */
export function ruleText({ tool, pattern }: Rule): string {
  return `the rule ${formatRule(tool, pattern)}`;
}

/** A person is asked each time, whatever is allowed: what is gone is gone. */
export function destroys({ risks }: SimpleCommand): boolean {
  return risks.includes(DESTROYS);
}

/** To other machines. */
function sendsOut({ risks }: SimpleCommand): boolean {
  return risks.includes(NETWORK) || risks.includes(PUBLISHES);
}

/** What a rule of the person's allows is allowed in the workspace; a grant for a command only in its folder. */
function holdsIn({ cwd }: Rule, { located: { path, root } }: LocatedCommand): boolean {
  return cwd === undefined ? root !== undefined : cwd === path;
}

// The decision about one call, as a pure function: what is never done, mode, deny rules, then what needs a person.
import type { AskPart } from '../../common/asks';
import { MODE_INFO, type Mode } from '../../common/modes';
import { onlyReads } from '../command/types';
import { hiddenText, type ResolvedPath } from '../files/paths';
import type { Platform } from '../host';
import type { Tool } from '../tool/tool';
import { catching, judgeCommand, ruleText, TAINTED, type CommandJudgement } from './commandRules';
import { hidesCharacters, hidesInCommand, isHolder, protectionOf, type Protection } from './protected';
import { concernsPath, coversTarget, formatRule, namesTool, type LocatedPath, type LocatedTarget } from './rules';
import type { Rule, Verdict } from './types';

export interface DecisionInput {
  readonly tool: Pick<Tool, 'name' | 'kind' | 'modes'>;
  /** For this input. */
  readonly isReadOnly: boolean;
  readonly targets: readonly LocatedTarget[];
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  readonly platform: Platform;
  /** Without it only reads run, whatever the mode (S50). */
  readonly isTrusted: boolean;
  /** The conversation holds content from the web or an MCP server: what sends out is allowed only by rules given since (S90). */
  readonly isTainted?: boolean;
}

/** Deny beats ask beats allow; nothing turns a deny into an allow. */
export function decide(input: DecisionInput): Verdict {
  const call = prepareCall(input);
  return neverDone(call) ?? refusedWithoutTrust(call) ?? refusedByMode(call) ?? refusedByRule(call) ?? judge(call);
}

interface Call extends DecisionInput {
  readonly isTainted: boolean;
  /** What is judged: a call that touches nothing too, by the rules for its tool as a whole. */
  readonly judged: readonly (LocatedTarget | undefined)[];
  /** Its commands, as the rules see them. */
  readonly commands: ReadonlyMap<LocatedTarget | undefined, CommandJudgement>;
}

function prepareCall(input: DecisionInput): Call {
  const { tool, targets, mode, rules, isTainted = false } = input;
  const named = rules.filter((rule) => namesTool(rule, tool));
  const commands = new Map<LocatedTarget | undefined, CommandJudgement>();
  for (const target of targets) {
    if (target.op === 'execute') commands.set(target, judgeCommand(target, { mode, rules: named, isTainted }));
  }
  return { ...input, isTainted, commands, judged: targets.length > 0 ? targets : [undefined] };
}

/** In no mode: what destroys beyond repair (S23), and what is kept from the agent. */
function neverDone({ targets }: Call): Verdict | undefined {
  for (const target of targets) {
    if (target.op === 'execute' && target.line?.critical !== undefined) {
      const { critical } = target.line;
      const because = `This is refused in every mode: ${critical}. Do not try it another way; tell the person if it must be done.`;
      return { effect: 'deny', because };
    }
    if (!('located' in target) || !target.located.isHidden) continue;
    const isFound = target.op === 'read' && target.isFound === true;
    return { effect: 'deny', because: isFound ? HIDDEN_WITHIN : hiddenText(target.located) };
  }
  return undefined;
}

function refusedWithoutTrust({ isTrusted, targets }: Call): Verdict | undefined {
  if (isTrusted || targets.every(({ op }) => op === 'read')) return undefined;
  const because =
    'The person has not trusted this workspace, so only reading and searching work here. Go on without it, or tell the person that it needs “Manage Workspace Trust”.';
  return { effect: 'deny', because };
}

/** Does not name it: that it is there is hidden too. */
const HIDDEN_WITHIN =
  'This reads or lists what is in folders, and there is something that is hidden from you by .latheignore. Name the files to read, or use ls, glob and grep, which leave out what is hidden.';

const ONLY_READING: readonly Mode[] = ['plan', 'review', 'explore'];

function refusedByMode(call: Call): Verdict | undefined {
  const { tool, mode, targets } = call;
  const isOffered = tool.modes === 'all' || tool.modes.includes(mode);
  const changing = ONLY_READING.includes(mode) ? targets.find((target) => changes(target, call)) : undefined;
  if (isOffered && !changing) return undefined;
  const { label, description } = MODE_INFO[mode];
  const which =
    changing?.op === 'execute'
      ? `${tool.name} cannot run this: it is not known to only read`
      : `${tool.name} cannot do this`;
  const because = `The session is in ${label} mode (${description.toLowerCase()}), so ${which}. Go on without it, or tell the person what you would do.`;
  return { effect: 'deny', because };
}

/** A tool's word that it only reads does not count against what it says it will do. */
function changes(target: LocatedTarget, { isReadOnly, mode, commands }: Call): boolean {
  switch (target.op) {
    case 'read':
      return false;
    case 'write':
    case 'delete':
      return true;
    case 'fetch':
    case 'use':
      return !isReadOnly;
    case 'execute': {
      if (isReadOnly && target.line && onlyReads(target.line)) return false;
      const judgement = commands.get(target);
      const isRuled = judgement?.isExact === true || judgement?.isByRules === true;
      return mode !== 'review' || judgement?.reasons.length !== 0 || !isRuled;
    }
  }
}

function refusedByRule(call: Call): Verdict | undefined {
  for (const target of call.judged) {
    const rule = ruleFor('deny', target, call);
    if (!rule) continue;
    const because = `The rule ${formatRule(rule.tool, rule.pattern)} forbids this. Do not try it another way.`;
    return { effect: 'deny', because };
  }
  return undefined;
}

function judge(call: Call): Verdict {
  const reasons = new Set<string>();
  const because = new Set<string>();
  const parts: AskPart[] = [];
  for (const target of call.judged) {
    const asking = ruleFor('ask', target, call);
    if (asking) reasons.add(`The rule ${formatRule(asking.tool, asking.pattern)} asks`);
    const { held, by } = judgeTarget(target, call);
    if (!asking) for (const reason of held) reasons.add(reason);
    for (const each of by) because.add(each);
    parts.push(...(call.commands.get(target)?.parts ?? []));
  }
  const { label } = MODE_INFO[call.mode];
  if (reasons.size === 0) return { effect: 'allow', because: [...because].join(', ') || `${label} mode` };
  if (call.mode !== 'explore') {
    return { effect: 'ask', reasons: [...reasons], ...(parts.length === 0 ? {} : { parts }) };
  }
  const refused = `The session is in ${label} mode, which never asks the person, and this would ask: ${[...reasons].join('; ')}.`;
  return { effect: 'deny', because: `${refused} Go on without it, or tell the person what you would need.` };
}

function ruleFor(effect: Rule['effect'], target: LocatedTarget | undefined, call: Call): Rule | undefined {
  const { tool, rules, platform } = call;
  if (!target)
    return rules.find((rule) => rule.effect === effect && rule.pattern === undefined && namesTool(rule, tool));
  if (target.op === 'execute') {
    const named = rules.filter((rule) => namesTool(rule, tool));
    return effect === 'allow' ? undefined : catching(effect, target, named);
  }
  const sendsOut = call.isTainted && effect === 'allow' && leavesBy(target, call);
  return rules.find((rule) => {
    if (rule.effect !== effect || (sendsOut && !rule.isAfterTaint)) return false;
    const isNamed = 'located' in target ? concernsPath(rule, tool, target.op) : namesTool(rule, tool);
    return isNamed && coversTarget(rule, target, platform);
  });
}

/** What can carry something out: an address, a connector that does more than read, a file outside the workspace. */
function leavesBy(target: Exclude<LocatedTarget, { readonly op: 'execute' }>, { isReadOnly }: Call): boolean {
  if (target.op === 'fetch') return true;
  if (target.op === 'use') return !isReadOnly;
  return target.op !== 'read' && !target.located.root;
}

interface Judged {
  /** Why it needs a person; empty when it may pass. */
  readonly held: readonly string[];
  /** What lets it pass, where that is a rule. */
  readonly by: readonly string[];
}

function judgeTarget(target: LocatedTarget | undefined, call: Call): Judged {
  if (!target) return { held: [], by: [] };
  if (target.op === 'execute') {
    const judgement = call.commands.get(target);
    return { held: judgement?.reasons ?? [], by: judgement?.because ?? [] };
  }
  const rule = ruleFor('allow', target, call);
  const held = heldBack(target, call, rule !== undefined);
  const isTaintTold = held !== undefined && call.isTainted && rule === undefined && leavesBy(target, call);
  const reasons = held === undefined ? [] : [held, ...(isTaintTold && isCoveredBefore(target, call) ? [TAINTED] : [])];
  return { held: reasons, by: rule ? [ruleText(rule)] : [] };
}

/** A rule from before would have allowed it. */
function isCoveredBefore(target: LocatedTarget, call: Call): boolean {
  return ruleFor('allow', target, { ...call, isTainted: false }) !== undefined;
}

/** Why a target needs a person, or undefined when it may pass. */
function heldBack(
  target: Exclude<LocatedTarget, { readonly op: 'execute' }>,
  call: Call,
  isRuled: boolean,
): string | undefined {
  const { mode, platform } = call;
  if (target.op === 'fetch') return mode === 'bypass' || isRuled ? undefined : `Reaches ${target.url}`;
  if (target.op === 'use') return mode === 'bypass' || isRuled ? undefined : `Uses ${target.name}`;

  if (target.named !== undefined) return heldByName(target, call, isRuled);
  const { located, op } = target;
  const protection = protectionOfTarget(target, platform);
  const shown = showTarget(located);
  if (protection === 'governs') return `Changes what governs the agent: ${shown}`;
  if (mode === 'bypass') return undefined;
  if (protection === 'executes') return `Changes what runs by itself later: ${shown}`;
  if (protection === 'secret') return `May hold secrets: ${shown}`;
  if (hidesCharacters(located.path)) return `Invisible characters in the path: ${shown}`;
  if (isShared(target)) return `Changes a file that has other names too, which may lie anywhere (hard links): ${shown}`;
  const addresses = addressesOf(target);
  if (addresses !== '') return `Adds an address that is fetched by itself when the file is opened: ${addresses}`;
  if (isRuled || isOfAllowedCommand(target, call)) return undefined;
  if (!located.root) return `Outside the workspace: ${shown}`;
  if (op === 'read' || (op === 'write' && (mode === 'acceptEdits' || mode === 'auto'))) return undefined;
  return op === 'delete' ? `Deletes ${shown}` : `Changes ${shown}`;
}

/** Nobody knows what is done with it, so only what is protected or lies outside counts; not where the sandbox holds it back. */
function heldByName(target: LocatedPath, call: Call, isRuled: boolean): string | undefined {
  const { located, named } = target;
  const judgements = [...call.commands.values()];
  if (call.mode === 'bypass' || judgements.some(({ isInside }) => isInside)) return undefined;
  const isSeen = judgements.every(({ isExact }) => isExact);
  const shown = showTarget(located);
  const protection = protectionOfTarget({ ...target, op: named === 'reads' ? 'read' : 'write' }, call.platform);
  if (protection === 'governs') return `May change what governs the agent: ${shown}`;
  if (isSeen) return undefined;
  if (protection === 'executes') return `May change what runs by itself later: ${shown}`;
  if (protection === 'secret') return `May hold secrets: ${shown}`;
  return located.root || isRuled ? undefined : `Outside the workspace: ${shown}`;
}

/**
 * Whoever allowed exactly this command has seen what it touches; who allowed its program, what a program like it touches in the
 * workspace by its operands, but not where its output is sent.
 */
function isOfAllowedCommand(target: LocatedPath, { commands }: Call): boolean {
  if (commands.size === 0) return false;
  const isHere = target.located.root !== undefined;
  return [...commands.values()].every(
    ({ isExact, isByRules, isInside, reasons }) =>
      reasons.length === 0 && (isExact || (isHere && isInside) || (isByRules && isHere && target.isImplied === true)),
  );
}

/** A link inside the workspace is named with what it leads to: nobody can judge it by its own name (S31). */
function showTarget({ shown, places: [, elsewhere], root }: ResolvedPath): string {
  return root && elsewhere !== undefined ? `${shown} → ${elsewhere}` : shown;
}

/** Data can leave by the mere opening of a file that names where its schema is (S40). */
function addressesOf(target: LocatedTarget): string {
  return target.op === 'write' ? (target.addresses ?? []).join(', ') : '';
}

function isShared(target: LocatedTarget): boolean {
  return target.op === 'write' && target.isShared === true;
}

/** By its name and by what it leads to. */
function protectionOfTarget({ op, located, isImplied }: LocatedPath, platform: Platform): Protection | undefined {
  const { path, real } = located;
  const protection = strictest(protectionOf(op, path, platform), protectionOf(op, real, platform));
  const isWhole = op === 'write' && isImplied === true && [path, real].some((form) => isHolder(form, platform));
  return protection ?? (isWhole ? 'executes' : undefined);
}

const STRICTNESS: readonly (Protection | undefined)[] = ['governs', 'executes', 'secret', undefined];

function strictest(a: Protection | undefined, b: Protection | undefined): Protection | undefined {
  return STRICTNESS.indexOf(a) <= STRICTNESS.indexOf(b) ? a : b;
}

/** Whether a person may lift this for longer than once: never what is protected or cannot be judged by sight. */
export function isGrantable(targets: readonly LocatedTarget[], platform: Platform): boolean {
  return targets.every((target) => {
    if (target.op === 'execute') return target.place !== 'outside' && !hidesInCommand(target.command);
    if (target.op === 'fetch' || target.op === 'use') return true;
    // Who allows exactly this command has seen it.
    if (target.named !== undefined) return protectionOfTarget({ ...target, op: 'write' }, platform) !== 'governs';
    const isProtected = protectionOfTarget(target, platform) !== undefined;
    return !isProtected && !hidesCharacters(target.located.path) && !isShared(target) && addressesOf(target) === '';
  });
}

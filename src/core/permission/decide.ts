// The decision about one call, as a pure function: mode, then deny, ask and allow rules, then what the mode does by default.
import { MODE_INFO, type Mode } from '../../common/modes';
import type { Tool } from '../tool/tool';
import { hiddenText, type ResolvedPath } from '../files/paths';
import type { Platform } from '../host';
import { hidesCharacters, protectionOf, type Protection } from './protected';
import { coversTarget, formatRule, namesTool, type LocatedTarget } from './rules';
import type { Rule, Verdict } from './types';

export interface DecisionInput {
  readonly tool: Pick<Tool, 'name' | 'kind' | 'modes'>;
  /** For this input. */
  readonly isReadOnly: boolean;
  readonly targets: readonly LocatedTarget[];
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  readonly platform: Platform;
}

/** Mode enforcement comes before rules; deny beats ask beats allow; nothing turns a deny into an allow. */
export function decide(input: DecisionInput): Verdict {
  const { tool, targets, mode, rules, platform } = input;
  const forbidden = forbiddenByMode(input);
  if (forbidden !== undefined) return { effect: 'deny', because: forbidden };

  const hidden = targets.find((target) => 'located' in target && target.located.isHidden);
  if (hidden && 'located' in hidden) return { effect: 'deny', because: hiddenText(hidden.located) };

  const applying = rules.filter((rule) => namesTool(rule, tool));
  const covering = (effect: Rule['effect'], target: LocatedTarget | undefined) =>
    applying.find((rule) => rule.effect === effect && coversTarget(rule, target, platform));
  // A call that touches nothing is judged too: by the rules for its tool as a whole.
  const judged = targets.length > 0 ? targets : [undefined];

  for (const target of judged) {
    const denying = covering('deny', target);
    if (denying) {
      const because = `The rule ${formatRule(denying.tool, denying.pattern)} forbids this. Do not try it another way.`;
      return { effect: 'deny', because };
    }
  }

  const reasons: string[] = [];
  for (const target of judged) {
    const asking = covering('ask', target);
    const held = asking
      ? `The rule ${formatRule(asking.tool, asking.pattern)} asks`
      : target &&
        heldBack(target, mode, platform, covering('allow', target) !== undefined || passesInside(target, applying));
    if (held !== undefined) reasons.push(held);
  }
  if (reasons.length > 0) return { effect: 'ask', reasons: [...new Set(reasons)] };
  return { effect: 'allow', because: `mode ${mode}` };
}

const ONLY_READING: readonly Mode[] = ['plan', 'review', 'explore'];

function forbiddenByMode({ tool, isReadOnly, targets, mode }: DecisionInput): string | undefined {
  const isOffered = tool.modes === 'all' || tool.modes.includes(mode);
  // A tool's word that it only reads does not count against what it says it will write.
  const changes = targets.some(({ op }) => op === 'write' || op === 'delete' || (op !== 'read' && !isReadOnly));
  if (isOffered && !(ONLY_READING.includes(mode) && changes)) return undefined;
  const { label, description } = MODE_INFO[mode];
  return `The session is in ${label} mode (${description.toLowerCase()}), so ${tool.name} cannot do this. Go on without it, or tell the person what you would do.`;
}

/**
 * What can only write in the workspace and reach nothing else needs nobody, unless people want to know of it, or a rule
 * holds some commands back and nobody can tell whether this is one of them.
 */
function passesInside(target: LocatedTarget, rules: readonly Rule[]): boolean {
  if (target.op !== 'execute' || target.place !== 'inside' || !target.located.root) return false;
  const { line } = target;
  if (!line || line.critical !== undefined || line.deeds.length > 0) return false;
  return line.doubts.length === 0 || !rules.some(({ effect }) => effect !== 'allow');
}

/** Why a target needs a person, or undefined when it may pass. */
function heldBack(target: LocatedTarget, mode: Mode, platform: Platform, isAllowed: boolean): string | undefined {
  if (target.op === 'execute') {
    if (target.place === 'outside' && mode !== 'bypass') return 'Runs outside the sandbox';
    if (mode === 'bypass' || (isAllowed && !hidesCharacters(target.command))) return undefined;
    return target.located.root ? 'Runs a command' : `Runs a command outside the workspace, in ${target.located.shown}`;
  }
  if (target.op === 'fetch') return mode === 'bypass' || isAllowed ? undefined : `Reaches ${target.url}`;
  if (target.op === 'use') return mode === 'bypass' || isAllowed ? undefined : `Uses ${target.name}`;

  const { located, op } = target;
  const protection = strictest(protectionOf(op, located.path, platform), protectionOf(op, located.real, platform));
  const shown = showTarget(located);
  if (protection === 'governs') return `Changes what governs the agent: ${shown}`;
  if (mode === 'bypass') return undefined;
  if (protection === 'executes') return `Changes what runs by itself later: ${shown}`;
  if (protection === 'secret') return `May hold secrets: ${shown}`;
  if (hidesCharacters(located.path)) return `Invisible characters in the path: ${shown}`;
  if (isShared(target)) return `Changes a file that has other names too, which may lie anywhere (hard links): ${shown}`;
  const addresses = addressesOf(target);
  if (addresses !== '') return `Adds an address that is fetched by itself when the file is opened: ${addresses}`;
  if (isAllowed) return undefined;
  if (!located.root) return `Outside the workspace: ${shown}`;
  if (op === 'read' || (op === 'write' && mode === 'acceptEdits')) return undefined;
  return op === 'delete' ? `Deletes ${shown}` : `Changes ${shown}`;
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

const STRICTNESS: readonly (Protection | undefined)[] = ['governs', 'executes', 'secret', undefined];

function strictest(a: Protection | undefined, b: Protection | undefined): Protection | undefined {
  return STRICTNESS.indexOf(a) <= STRICTNESS.indexOf(b) ? a : b;
}

/** Whether a person may lift this for the rest of the session: never what is protected or cannot be judged by sight. */
export function isGrantable(targets: readonly LocatedTarget[], platform: Platform): boolean {
  return targets.every((target) => {
    if (target.op === 'execute') return target.place !== 'outside' && !hidesCharacters(target.command);
    if (target.op === 'fetch' || target.op === 'use') return true;
    const { path, real } = target.located;
    const isProtected = [path, real].some((form) => protectionOf(target.op, form, platform) !== undefined);
    return !isProtected && !hidesCharacters(path) && !isShared(target) && addressesOf(target) === '';
  });
}

// Profiles of sub-agents [G5]: how far one may go at most, whatever the session it works for may do.
import type { ToolKind } from '../../common/events';
import type { Mode } from '../../common/modes';
import { decide, type DecisionInput } from './decide';
import type { Verdict } from './types';

/** The narrowest first; each may do all that those before it may, and more. */
export const PROFILES = ['minimal', 'readonly', 'standard', 'elevated', 'admin'] as const;
export type Profile = (typeof PROFILES)[number];

/** The narrowest first: what one mode lets pass, the later ones do too, and what one refuses, so do the earlier ones. */
const MODE_ORDER: readonly Mode[] = ['explore', 'plan', 'review', 'ask', 'acceptEdits', 'auto', 'bypass'];

interface Bounds {
  /** The widest mode. */
  readonly mode: Mode;
  readonly kinds: readonly ToolKind[] | 'all';
  /** Whether what rules and the person allowed counts for it. */
  readonly usesAllowRules: boolean;
}

const BOUNDS: Readonly<Record<Profile, Bounds>> = {
  minimal: { mode: 'explore', kinds: ['read', 'search'], usesAllowRules: false },
  readonly: { mode: 'plan', kinds: ['read', 'search', 'shell', 'web', 'plan', 'ask'], usesAllowRules: false },
  standard: { mode: 'ask', kinds: 'all', usesAllowRules: true },
  elevated: { mode: 'acceptEdits', kinds: 'all', usesAllowRules: true },
  admin: { mode: 'bypass', kinds: 'all', usesAllowRules: true },
};

/** Of an agent that works for another one: never wider than that. */
export function nestProfile(outer: Profile, inner: Profile): Profile {
  return PROFILES.indexOf(inner) < PROFILES.indexOf(outer) ? inner : outer;
}

export function narrowMode(mode: Mode, profile: Profile): Mode {
  const widest = BOUNDS[profile].mode;
  return MODE_ORDER.indexOf(mode) < MODE_ORDER.indexOf(widest) ? mode : widest;
}

export function decideUnder(profile: Profile, input: DecisionInput): Verdict {
  const { kinds, usesAllowRules } = BOUNDS[profile];
  const { tool, rules } = input;
  if (kinds !== 'all' && !kinds.includes(tool.kind)) {
    return {
      effect: 'deny',
      because: `An agent with the profile ${profile} cannot use ${tool.name}. Go on without it.`,
    };
  }
  return decide({
    ...input,
    mode: narrowMode(input.mode, profile),
    rules: usesAllowRules ? rules : rules.filter(({ effect }) => effect !== 'allow'),
  });
}

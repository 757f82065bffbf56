// The permission modes: what they are called, what they mean, in the order the picker shows them.

export const MODES = ['ask', 'acceptEdits', 'plan', 'review', 'explore', 'auto', 'bypass'] as const;
export type Mode = (typeof MODES)[number];

export interface ModeInfo {
  readonly label: string;
  readonly description: string;
  /** Drawn in the error colour, and confirmed before it is chosen. */
  readonly dangerous: boolean;
}

export const MODE_INFO: Readonly<Record<Mode, ModeInfo>> = {
  ask: { label: 'Ask', description: 'Reads run; edits, commands and network ask first', dangerous: false },
  acceptEdits: {
    label: 'Accept edits',
    description: 'Edits inside the workspace apply without asking; deletions, commands and network ask first',
    dangerous: false,
  },
  plan: {
    label: 'Plan',
    description: 'Reads only: nothing is changed, and only commands that read run',
    dangerous: false,
  },
  review: {
    label: 'Review',
    description: 'Reads only, and the commands that your rules allow; nothing is edited',
    dangerous: false,
  },
  explore: { label: 'Explore', description: 'Reads only, and never asks: what would ask is refused', dangerous: false },
  auto: {
    label: 'Auto',
    description: 'Asks only for what destroys, reaches outside the workspace, is protected or cannot be understood',
    dangerous: true,
  },
  bypass: { label: 'Bypass', description: 'Everything runs without asking', dangerous: true },
};

export function isMode(value: unknown): value is Mode {
  return MODES.some((mode) => mode === value);
}

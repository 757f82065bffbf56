// Holds back what would break a configuration [O24]: the text as it would be is checked before the plan is shown to anybody.
import type { Host } from '../host';
import type { ResolvedPath } from '../files/paths';
import type { Target } from '../permission/types';
import { configKindOf } from './kinds';

/** `before` undefined: a new file. */
export interface PlannedText {
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * For every tool that plans a text: why that text must not stand there, worded for the model; undefined when it may. Only what
 * the plan itself breaks counts, so that a file that is broken already can be mended step by step.
 */
export async function refuseBroken(
  { path, real, shown }: ResolvedPath,
  planned: PlannedText,
  { platform }: Pick<Host, 'platform'>,
): Promise<string | undefined> {
  const kind = configKindOf(path, platform) ?? configKindOf(real, platform);
  if (!kind) return undefined;
  const { faultsBrought } = await import('./check');
  const faults = faultsBrought(kind, planned);
  if (faults.length === 0) return undefined;
  const listed = faults.slice(0, MAX_LISTED).map(({ line, text }) => `- line ${line}: ${text}`);
  const more = faults.length - listed.length;
  return [
    `${shown} would be broken by this, so nothing was changed. In the text as it would be:`,
    ...listed,
    ...(more > 0 ? [`- and ${more} more`] : []),
    'Send it again with that put right.',
  ].join('\n');
}

/** What a tool that plans a text is going to touch, and which addresses whoever opens the file is going to fetch (S40). */
export async function writeTarget({ path }: ResolvedPath, planned: PlannedText): Promise<Target> {
  // Written out or escaped, an address has two slashes in a row.
  if (!/[\\/]{2}|\\[u/]/.test(planned.after)) return { op: 'write', path };
  const { referencesBrought } = await import('./references');
  const addresses = referencesBrought(planned);
  return { op: 'write', path, ...(addresses.length > 0 && { addresses }) };
}

const MAX_LISTED = 6;

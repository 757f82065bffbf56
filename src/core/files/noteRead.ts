// Keeps the read records true: what a call shows becomes known, and a window that is known already is not shown again.
import type { Asked } from './window';
import { VERSION_NOT_KNOWN, type ReadRecord, type ReadState } from './readState';
import type { Path } from '../host';

/** What the model has before it of this very text [R03]. */
export function knownOf(real: Path, version: string, reads: ReadState): ReadRecord | undefined {
  const record = reads.get(real);
  return record?.inContext && record.version === version ? record : undefined;
}

export function isShownAlready(record: ReadRecord, { offset, limit }: Asked): boolean {
  return limit > 0 && record.window?.offset === offset && record.window.limit === limit;
}

export interface ShownPart {
  readonly version: string;
  readonly window: Asked;
  /** Absent where nobody has counted: then it is never known whole. */
  readonly total?: number;
  readonly isCut: boolean;
  readonly call: string;
}

export function noteRead(real: Path, { version, window, total, isCut, call }: ShownPart, reads: ReadState): void {
  const before = knownOf(real, version, reads);
  const known = knownItems(before, window, total ?? Infinity, call);
  const wasCut = before?.isCut ?? false;
  reads.set(real, { version, window, ...known, ...(isCut || wasCut ? { isCut: true } : {}), inContext: true });
}

/** Of what was looked at otherwise than as its text, or is too large to be told from another version of itself: no ground to write it anew. */
export function noteLook(
  real: Path,
  { version = VERSION_NOT_KNOWN, call }: { readonly version?: string; readonly call: string },
  reads: ReadState,
): void {
  reads.set(real, { version, isCut: true, calls: [call], inContext: true });
}

/** What is known of the text once this part is shown too, nothing to note when that is all of it, and which calls show it. */
function knownItems(
  before: ReadRecord | undefined,
  { offset, limit }: Asked,
  total: number,
  call: string,
): Pick<ReadRecord, 'known' | 'calls'> {
  const shown = { first: offset, last: offset + limit - 1 };
  const earlier = before ? (before.known ?? { first: 1, last: total }) : shown;
  const isApart = earlier.first > shown.last + 1 || shown.first > earlier.last + 1;
  const isMore = shown.first > earlier.first || shown.last < earlier.last;
  const known = isApart
    ? shown
    : { first: Math.min(earlier.first, shown.first), last: Math.max(earlier.last, shown.last) };
  const calls = before && isMore && !isApart ? [...before.calls, call] : [call];
  return known.first <= 1 && known.last >= total ? { calls } : { known, calls };
}

// Plans edits of a text without touching anything: preview, approval, apply and tests share what comes out of here.
import type { FileDiff } from '../../common/display';
import type { Splice } from '../host';
import { CASCADE, CASCADE_FOR_ALL } from './cascade';
import { inkOf } from './ink';
import { applySplices, lineAt, lineCount, spliceRange, stripMark, toLf, viewText } from './lines';
import type { Place } from './matcher';
import { diffTexts } from './patch';
import { readingsOf } from './readings';
import {
  refuseAmbiguous,
  refuseEmpty,
  refuseMissing,
  refuseOverlap,
  refuseSame,
  refuseUnclear,
  type Refusal,
} from './refusal';
import { searchFor, type FileSide, type Search, type Wanted } from './search';

export interface EditRequest {
  readonly oldString: string;
  readonly newString: string;
  /** Every exact occurrence instead of the only one. */
  readonly replaceAll?: boolean;
}

export interface PlannedEdit {
  readonly ok: true;
  readonly text: string;
  /** Sorted, not overlapping, counting in the text before; everything outside of them stays as it is, byte for byte. */
  readonly splices: readonly Splice[];
  readonly diff: FileDiff;
  /** The loosest matcher that was needed, and the lowest similarity of a place (0 to 1). */
  readonly stage: string;
  readonly similarity: number;
  /** Places changed, in text order, 1-based lines of the text before. */
  readonly places: readonly { readonly startLine: number; readonly endLine: number }[];
}

const EXACT_STAGES = ['simple', 'multiOccurrence'];

/** Whether the old text stood there as it was written. */
export function isExact({ stage }: Pick<PlannedEdit, 'stage'>): boolean {
  return EXACT_STAGES.includes(stage);
}

/**
 * All edits are located in the same text and all take effect, or none does. Each needs exactly one place unless it asks
 * for all. `text` and both strings may have any line endings; a byte-order mark is not part of a text.
 */
export function planEdit(path: string, text: string, edits: readonly EditRequest[]): PlannedEdit | Refusal {
  const senseless = refuseSenseless(edits);
  if (senseless) return senseless;
  const view = viewText(text);
  const file = { path, view };
  const found: Found[] = [];
  for (const [at, edit] of edits.entries()) {
    const located = locate(file, edit);
    if ('ok' in located) return inEdit(located, at, edits.length);
    found.push(located);
  }
  const places = found.flatMap((each) => each.places).sort((a, b) => a.start - b.start || a.end - b.end);
  if (places.some((place, at) => at > 0 && place.start < (places[at - 1]?.end ?? 0))) return refuseOverlap();

  const splices = places.flatMap((place) => spliceRange(view, place.start, place.end, place.text));
  if (splices.length === 0) return refuseSame();
  const after = applySplices(text, splices);
  const stage = loosest(found);
  const similarity = places.reduce((lowest, place) => Math.min(lowest, place.similarity), 1);
  const match = isExact({ stage }) ? {} : { match: { stage, similarity } };
  return {
    ok: true,
    text: after,
    splices,
    diff: diffTexts(text, after, { path, change: 'edited', ...match }),
    stage,
    similarity,
    places: places.map(({ start, end }) => ({
      startLine: lineAt(view, start) + 1,
      endLine: lineAt(view, Math.max(start, end - 1)) + 1,
    })),
  };
}

/** Replaces the whole text, with the fewest splices. Its line endings stay unless the new text brings `\r\n` of its own. */
export function planRewrite(path: string, text: string, newText: string): PlannedEdit | Refusal {
  const fresh = stripMark(newText);
  const view = viewText(text);
  const splices = fresh.includes('\r\n')
    ? [{ start: view.starts[0] ?? 0, end: text.length, text: fresh }]
    : spliceRange(view, 0, view.lf.length, fresh);
  const after = applySplices(text, splices);
  if (after === text) return refuseSame();
  const diff = diffTexts(text, after, { path, change: 'edited' });
  const places = [{ startLine: 1, endLine: lineCount(view) }];
  return { ok: true, text: after, splices, diff, stage: 'whole', similarity: 1, places };
}

/** So much ink of a new text is no coincidence. */
const MIN_MADE_CHARS = 30;

interface Found {
  readonly stage: string;
  readonly places: readonly WrittenPlace[];
}

interface WrittenPlace extends Omit<Place, 'write'> {
  readonly text: string;
}

/** Edits that change nothing, whatever the text: no file has to be looked at for that. */
export function refuseSenseless(edits: readonly EditRequest[]): Refusal | undefined {
  const at = edits.map(wantedBy).findIndex(({ oldText, newText }) => oldText === newText);
  return at === -1 ? undefined : inEdit(refuseSame(), at, edits.length);
}

function wantedBy({ oldString, newString }: EditRequest): Wanted {
  return { oldText: toLf(stripMark(oldString)), newText: toLf(stripMark(newString)) };
}

function locate(file: FileSide, edit: EditRequest): Found | Refusal {
  const { view } = file;
  const wanted = wantedBy(edit);
  if (wanted.oldText === '' && view.lf === '') {
    return {
      stage: 'simple',
      places: [{ start: 0, end: 0, text: wanted.newText, similarity: 1 }],
    };
  }
  if (wanted.oldText.trim() === '') return refuseEmpty();
  let search = searchFor(file, wanted);
  for (const { repairs, ...reading } of readingsOf(wanted)) {
    if (reading.oldText.trim() === '') continue;
    search = searchFor(file, reading);
    for (const matcher of edit.replaceAll ? CASCADE_FOR_ALL : CASCADE) {
      const places = matcher.find(search);
      if (places.length === 0) continue;
      // Never on to a looser stage from here: it would only pick one of these places, or a worse one.
      if (places.length > 1 && !edit.replaceAll) return refuseAmbiguous(view, places);
      const [place] = places;
      if (place && matcher !== CASCADE[0] && !edit.replaceAll && isMadeAlready(search, place)) return refuseSame();
      const written = places.map(({ start, end, similarity, write }) => ({ start, end, similarity, text: write() }));
      const unclear = written.find(({ text }) => text === undefined);
      if (unclear) return refuseUnclear(view, unclear);
      return { stage: [...repairs, matcher.name].join('+'), places: written as WrittenPlace[] };
    }
  }
  return refuseMissing(search);
}

/**
 * The old text was found in the new one, which stands there: once more would double what it adds. Or it was found only
 * nearly, and the new text stands elsewhere as it was written: that was the place, and this is another.
 */
function isMadeAlready({ file, wanted, block }: Search, { start, end }: Place): boolean {
  const [old, fresh] = [block().ink.stream, inkOf(wanted.newText).stream];
  if (fresh.length >= MIN_MADE_CHARS && standsOutside(file.view.lf, wanted.newText, { start, end })) return true;
  if (fresh.length === old.length || !fresh.includes(old)) return false;
  const reach = 2 * wanted.newText.length;
  return inkOf(file.view.lf.slice(Math.max(0, start - reach), end + reach)).stream.includes(fresh);
}

function standsOutside(lf: string, text: string, { start, end }: Pick<Place, 'start' | 'end'>): boolean {
  for (let at = lf.indexOf(text); at !== -1; at = lf.indexOf(text, at + 1)) {
    if (at + text.length <= start || at >= end) return true;
  }
  return false;
}

function inEdit(refusal: Refusal, at: number, count: number): Refusal {
  if (count === 1) return refusal;
  const reason = `Edit ${at + 1} of ${count} cannot be made, so none was: ${refusal.reason}`;
  return { ...refusal, reason };
}

function loosest(found: readonly Found[]): string {
  return found.reduce((worst, { stage }) => (rankOf(stage) > rankOf(worst) ? stage : worst), 'simple');
}

const MATCHERS_BY_RANK = ['simple', ...[...CASCADE_FOR_ALL, ...CASCADE].map(({ name }) => name)];

function rankOf(stage: string): number {
  const rank = MATCHERS_BY_RANK.indexOf(stage.split('+').at(-1) ?? '');
  return stage.includes('+') ? rank + MATCHERS_BY_RANK.length : rank;
}

// Finding sessions by what was said in them: ripgrep looks for lines that may hold the words, and only those are read.
import type { Host } from '../host';
import { sessionFile } from '../session/journal';
import { parseLine } from '../session/load';
import { excerptOf, placesWith, sieveFor, type Place } from './excerpts';
import { parseQuery, type Term } from './query';
import type { Excerpt, FoundSession, StoredSession } from './types';

/** Lines that are read for one word in one session. */
const LINES_MAX = 8;
const EXCERPTS_MAX = 3;

export interface SearchParts {
  readonly store: Host['store'];
  readonly sessions: readonly StoredSession[];
  readonly nowMs: number;
}

/** See `Library.search`. One pass over the files for each term, each over those sessions that held the ones before it. */
export async function* searchSessions(
  { store, sessions, nowMs }: SearchParts,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<FoundSession> {
  const terms = parseQuery(query);
  const last = terms.at(-1);
  if (!last) return;
  let found = new Map(sessions.map((session): [string, Finding] => [session.id, titled(session, terms)]));
  for (const term of terms) {
    const held = new Map<string, Finding>();
    for await (const finding of pass(store, { term, found }, signal)) {
      if (term === last) yield rank(finding, terms, nowMs);
      held.set(finding.session.id, finding);
    }
    found = held;
  }
}

interface Finding {
  readonly session: StoredSession;
  readonly places: readonly Place[];
}

function titled(session: StoredSession, terms: readonly Term[]): Finding {
  const { title, titledBy } = session;
  const isPlace = titledBy !== undefined && terms.some((term) => stands(term, title));
  return { session, places: isPlace ? [{ of: 'title', text: title }] : [] };
}

interface Pass {
  readonly term: Term;
  readonly found: ReadonlyMap<string, Finding>;
}

/** Those that hold the term too, each once. */
async function* pass(store: Host['store'], { term, found }: Pass, signal: AbortSignal): AsyncGenerator<Finding> {
  const ids = new Map([...found.keys()].map((id) => [sessionFile(id), id]));
  const query = { names: [...ids.keys()], ...sieveFor(term), maxPerFile: LINES_MAX };
  const left = new Map(found);
  let open: Finding | undefined;
  for await (const { name, text } of store.lines(query, signal)) {
    const id = ids.get(name) ?? '';
    if (open && open.session.id !== id) {
      yield open;
      open = undefined;
    }
    const finding: Finding | undefined = open ?? left.get(id);
    const places = placesInLine(text, term);
    if (!finding || places.length === 0) continue;
    left.delete(id);
    open = { ...finding, places: [...finding.places, ...places] };
  }
  if (open) yield open;
  if (signal.aborted) return;
  for (const finding of left.values()) {
    if (finding.places.some(({ of, text }) => of === 'title' && stands(term, text))) yield finding;
  }
}

function placesInLine(line: string, term: Term): readonly Place[] {
  return parseLine(line).flatMap((event) => placesWith(term, event));
}

function stands({ inText }: Term, text: string): boolean {
  return text.normalize('NFC').search(inText) >= 0;
}

const WEIGHTS: Readonly<Record<Excerpt['of'], number>> = { title: 4, prompt: 3, answer: 2, tool: 1, file: 1 };
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** One place that holds several of the words counts for more than several that hold one. */
function rank({ session, places }: Finding, terms: readonly Term[], nowMs: number): FoundSession {
  const different = [...new Map(places.map((place) => [`${place.of} ${place.turn} ${place.text}`, place])).values()];
  const weighed = different
    .map((place) => ({ place, weight: WEIGHTS[place.of] * terms.filter((term) => stands(term, place.text)).length }))
    .sort((a, b) => b.weight - a.weight);
  const ageMs = Math.max(0, nowMs - session.lastMs);
  const weight = (weighed[0]?.weight ?? 0) + Math.log2(1 + different.length);
  return {
    session,
    excerpts: weighed.slice(0, EXCERPTS_MAX).map(({ place }) => excerptOf(place, terms)),
    hits: different.length,
    score: weight * 2 ** (-ageMs / HALF_LIFE_MS),
  };
}

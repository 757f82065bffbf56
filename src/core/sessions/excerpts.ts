// Where the words of a search stand in a session's events, and the piece of text around them.
import type { AgentEvent } from '../../common/events';
import { isJsonObject } from '../../common/json';
import { oneLine } from '../../common/oneLine';
import type { Term } from './query';
import type { Excerpt } from './types';

/** A text of an event that a person may remember. */
export interface Place {
  readonly of: Excerpt['of'];
  readonly turn?: string;
  readonly text: string;
}

/** The kinds of events that `placesIn` knows, as the beginning of their lines tells them. */
const HEAD =
  '\\{"v":[0-9]+,"id":"[^"]*","type":"(?:turn/started"|tool/queued"|files/changed"|block/finished"[^{]*\\{"type":"text")';
const FIELD = '"(?:text|title|path)":"(?:[^"\\\\]|\\\\.)*';
/** What stands in such lines besides those texts. */
const SYNTAX =
  'v id type turn/started text images image mediaType image/png image/jpeg data seq time session turn agent main block/finished block content interrupted true false null tool/queued call tool kind title read edit search shell web plan ask other files/changed files path real change created edited deleted moved to realTo before after bytes unsaved mode lost';
const SHORT_CHARS = 4;

/**
 * Lines that hold the term, nearly: what finds more is found out when they are read. A term that stands in every line, or in ids
 * and pictures by chance, is sought in the texts alone, which takes longer.
 */
export function sieveFor({ inText, inLine, chars }: Term): { readonly head: string; readonly text: string } {
  const isCommon = chars <= SHORT_CHARS || SYNTAX.search(inText) >= 0 || /[0-9]/.test(inLine);
  return { head: isCommon ? `${HEAD}.*${FIELD}` : HEAD, text: inLine };
}

/** Those of them that hold the term. */
export function placesWith({ inText }: Term, event: AgentEvent): readonly Place[] {
  return placesIn(event).filter(({ text }) => typeof text === 'string' && text.normalize('NFC').search(inText) >= 0);
}

function placesIn(event: AgentEvent): readonly Place[] {
  const { turn } = event;
  switch (event.type) {
    case 'turn/started':
      return [{ of: 'prompt', turn, text: event.text }];
    case 'block/finished':
      return event.content.type === 'text' ? [{ of: 'answer', turn, text: event.content.text }] : [];
    case 'tool/queued':
      return [{ of: 'tool', turn, text: event.title }];
    case 'files/changed':
      return pathsOf(event.files).map((text) => ({ of: 'file', turn, text }));
    default:
      return [];
  }
}

/** They come out of a file that anybody may have written in. */
function pathsOf(files: unknown): readonly string[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((file: unknown) => (isJsonObject(file) && typeof file['path'] === 'string' ? file['path'] : []));
}

const EXCERPT_MAX_CHARS = 200;
const BEFORE_CHARS = 60;

export function excerptOf({ text: wholeText, ...place }: Place, terms: readonly Term[]): Excerpt {
  const whole = wholeText.normalize('NFC');
  const starts = terms.map(({ inText }) => whole.search(inText)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...starts, whole.length) - BEFORE_CHARS);
  const piece = oneLine(whole.slice(from, from + 4 * EXCERPT_MAX_CHARS).toWellFormed(), EXCERPT_MAX_CHARS - 1);
  const text = from > 0 ? `…${piece}` : piece;
  return { ...place, text, marks: marksIn(text, terms) };
}

/** Joined where they touch. */
function marksIn(text: string, terms: readonly Term[]): readonly (readonly [number, number])[] {
  const found = terms.flatMap(({ inText }) =>
    [...text.matchAll(inText)].map(({ index, 0: match }): [number, number] => [index, index + match.length]),
  );
  const marks: [number, number][] = [];
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

// The digest of what a search found: bounded, made of whole items, with a count for each one that is left out.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ResultLimits } from '../../../../src/core/output/limits';
import { shortenMatches } from '../../../../src/core/output/matches';
import type { Items } from '../../../../src/core/output/types';

/** As a search writes it: the name of a file, its lines below it. */
function textOf(files: readonly (readonly [string, readonly string[]])[]): { text: string; list: Items['list'] } {
  const list: { end: number; group: string }[] = [];
  let text = '';
  for (const [group, lines] of files) {
    for (const [at, line] of lines.entries()) {
      text += `${at === 0 ? `${group}\n` : ''}${line}\n`;
      list.push({ end: text.length, group });
    }
  }
  return { text: text.slice(0, -1), list };
}

const limitsOf = (maxChars: number, digestChars: number): ResultLimits => ({ shape: 'matches', maxChars, digestChars });
const numbered = (count: number, words: string) => Array.from({ length: count }, (_, at) => `${at + 1}: ${words}`);
const MARKER = /^\[\.\.\. (?:\d+ lines, )?(\d+) characters left out here\. .* id "c1" \.\.\.\]$/m;

describe('B01 the shape of matches', () => {
  function check(name: string, items: Items & { readonly text: string }, limits: ResultLimits, expected: string): void {
    it(name, () => assert.equal(shortenMatches(items.text, items, limits, 'c1'), expected));
  }
  const some = textOf([
    ['a.ts', numbered(3, 'x')],
    ['b.ts', numbered(2, 'y')],
  ]);
  check('what fits passes whole', some, limitsOf(1_000, 500), 'a.ts\n1: x\n2: x\n3: x\nb.ts\n1: y\n2: y');
  check(
    'so does what the first and the last ones are all of',
    { ...some, first: 2 },
    limitsOf(1_000, 500),
    'a.ts\n1: x\n2: x\n3: x\nb.ts\n1: y\n2: y',
  );
  const long = textOf([
    ['a.ts', numbered(40, 'some words')],
    ['b.ts', numbered(7, 'some words')],
    ['c.ts', numbered(30, 'some words')],
  ]);
  check(
    'counts what is left out by file',
    long,
    limitsOf(600, 500),
    [
      'a.ts',
      ...numbered(15, 'some words'),
      'a.ts: 25 more',
      'b.ts: 7 more',
      'c.ts: 27 more',
      '[... 61 lines, 879 characters left out here. The whole output is stored: read or search it with the tool output, id "c1" ...]',
      'c.ts',
      '28: some words',
      '29: some words',
      '30: some words',
    ].join('\n'),
  );

  check(
    'shows no more than the first ones, however short they are',
    { ...textOf([['a.ts', numbered(60, 'some')]]), first: 2 },
    limitsOf(5_000, 500),
    [
      'a.ts',
      ...numbered(2, 'some'),
      'a.ts: 53 more',
      '[... 53 lines, 470 characters left out here. The whole output is stored: read or search it with the tool output, id "c1" ...]',
      'a.ts',
      ...numbered(60, 'some').slice(-5),
    ].join('\n'),
  );

  const file = fc.tuple(
    fc.string({ minLength: 1, maxLength: 20 }).map((name) => `/${name.replace(/[\r\n]/g, '_')}`),
    fc.array(
      fc.string({ maxLength: 40 }).map((line) => `1: ${line.replace(/[\r\n]/g, '_')}`),
      { minLength: 1, maxLength: 40 },
    ),
  );
  const found = fc.uniqueArray(file, { minLength: 1, maxLength: 30, selector: ([name]) => name });

  it('is bounded, and each item is shown or counted', () => {
    fc.assert(
      fc.property(
        found,
        fc.integer({ min: 500, max: 3_000 }),
        fc.option(fc.integer({ min: 1, max: 50 })),
        (files, max, first) => {
          const { text, list } = textOf(files);
          const items: Items = first === null ? { list } : { list, first };
          const digest = shortenMatches(text, items, limitsOf(max, Math.min(max, 600)), 'c1');
          if (digest === text) return assert.ok(text.length <= max);
          assert.ok(digest.length <= Math.min(max, 600));
          const marker = MARKER.exec(digest);
          assert.ok(marker);
          const tail = digest.slice(marker.index + marker[0].length + 1);
          const beforeMarker = digest.slice(0, marker.index);
          let head = beforeMarker;
          while (!text.startsWith(head)) head = head.slice(0, head.lastIndexOf('\n', head.length - 2) + 1);
          const counts = beforeMarker.slice(head.length).split('\n').slice(0, -1);
          const left = counts.reduce(
            (sum, line) => sum + Number(/(?:: |^and )(\d+) more(?: in \d+ other files)?$/.exec(line)?.[1]),
            0,
          );
          const shownHead = list.filter(({ end }) => end <= head.length).length;
          const plainTail = list.some(({ group }) => tail.startsWith(`${group}\n`) && !text.endsWith(tail))
            ? tail.slice(tail.indexOf('\n') + 1)
            : tail;
          assert.ok(text.endsWith(plainTail));
          const shownTail = list.filter(({ end }) => end > text.length - plainTail.length && plainTail !== '').length;
          assert.equal(shownHead + left + shownTail, list.length);
          assert.equal(Number(marker[1]), text.length - head.length - plainTail.length);
        },
      ),
    );
  });

  it('cuts inside of an item only where the first one is too long', () => {
    const { text, list } = textOf([['a.ts', ['1: '.padEnd(2_000, 'x'), '2: y']]]);
    const digest = shortenMatches(text, { list }, limitsOf(1_000, 500), 'c1');
    assert.ok(digest.length <= 500);
    assert.match(
      digest,
      /^a\.ts\n1: x+\na\.ts: 1 more\n\[\.\.\. 1 lines, \d+ characters left out here[^]*\na\.ts\n2: y$/,
    );
  });
});

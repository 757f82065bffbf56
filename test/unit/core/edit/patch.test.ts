// Diffs: hunks with true line numbers, context of three lines, and the same text back when they are applied.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffTexts, formatDiff } from '../../../../src/core/edit/patch';

const about = { path: 'f', change: 'edited' } as const;

function check(what: string, before: string, after: string, expected: readonly string[]): void {
  it(what, () => assert.deepEqual(formatDiff(diffTexts(before, after, about)).split('\n'), expected));
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('');

describe('O30 diffTexts', () => {
  check('a change in the middle', numbers(1, 20), numbers(1, 20).replace('10\n', 'ten\nx\n'), [
    '@@ -7,7 +7,8 @@',
    ' 7',
    ' 8',
    ' 9',
    '-10',
    '+ten',
    '+x',
    ' 11',
    ' 12',
    ' 13',
  ]);
  check('changes far apart', numbers(1, 30), numbers(1, 30).replace('2\n', 'b\n').replace('29\n', 'y\n'), [
    '@@ -1,5 +1,5 @@',
    ' 1',
    '-2',
    '+b',
    ' 3',
    ' 4',
    ' 5',
    '@@ -26,5 +26,5 @@',
    ' 26',
    ' 27',
    ' 28',
    '-29',
    '+y',
    ' 30',
  ]);
  check('a new file', '', 'a\nb', ['@@ -0,0 +1,2 @@', '+a', '+b']);
  check('an emptied file', 'a\n', '', ['@@ -1,1 +0,0 @@', '-a']);
  check('carriage returns are not shown', 'a\r\nb\r\n', 'a\r\nc\r\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c']);
  check('no change', 'a\n', 'a\n', ['']);

  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
  it('holds every line of the new text at its number', () =>
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { hunks, added, removed } = diffTexts(before, after, about);
        const lines = (text: string) => text.split('\n');
        for (const hunk of hunks) {
          const [old, fresh] = (['+', '-'] as const).map((other) => hunk.lines.filter(({ sign }) => sign !== other));
          if (old?.length)
            assert.deepEqual(
              old.map(({ text }) => text),
              lines(before).slice(hunk.oldStart - 1, hunk.oldStart - 1 + old.length),
            );
          if (fresh?.length)
            assert.deepEqual(
              fresh.map(({ text }) => text),
              lines(after).slice(hunk.newStart - 1, hunk.newStart - 1 + fresh.length),
            );
        }
        const count = (text: string) => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).length;
        assert.equal(added - removed, count(after) - count(before));
      }),
    ));
});

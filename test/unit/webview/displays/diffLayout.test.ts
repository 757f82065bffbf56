// Where the lines of a diff stand, and which part of a changed line is marked.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DiffLine } from '../../../../src/common/display';
import { changedParts, layoutHunk, type DiffRow } from '../../../../webview/displays/diffLayout';

function lines(text: string): DiffLine[] {
  return text.split('\n').map((line) => ({ sign: line[0] as DiffLine['sign'], text: line.slice(1) }));
}

describe('layout of a diff', () => {
  function check(name: string, text: string, expected: readonly DiffRow[]): void {
    it(name, () => assert.deepEqual(layoutHunk({ oldStart: 7, newStart: 9, lines: lines(text) }), expected));
  }

  check('numbers run on their own side', ' a\n-b\n+c\n+d\n e', [
    { sign: ' ', text: 'a', oldLine: 7, newLine: 9 },
    { sign: '-', text: 'b', oldLine: 8 },
    { sign: '+', text: 'c', newLine: 10 },
    { sign: '+', text: 'd', newLine: 11 },
    { sign: ' ', text: 'e', oldLine: 9, newLine: 12 },
  ]);
  check('what differs of a pair is marked', '-let a = one;\n+let a = two;', [
    { sign: '-', text: 'let a = one;', oldLine: 7, changed: { start: 8, end: 11 } },
    { sign: '+', text: 'let a = two;', newLine: 9, changed: { start: 8, end: 11 } },
  ]);
  check('of an insertion only the new line is marked', '-call(a);\n+call(a, b);', [
    { sign: '-', text: 'call(a);', oldLine: 7 },
    { sign: '+', text: 'call(a, b);', newLine: 9, changed: { start: 6, end: 9 } },
  ]);
  check('lines that have little in common are not marked', '-one two three\n+something else', [
    { sign: '-', text: 'one two three', oldLine: 7 },
    { sign: '+', text: 'something else', newLine: 9 },
  ]);

  it('the rest of both lines is the same, and no character is cut in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const [old, fresh] = changedParts(before, after);
        const restOf = (text: string, { start, end }: { start: number; end: number }) => [
          text.slice(0, start),
          text.slice(end),
        ];
        assert.deepEqual(restOf(before, old), restOf(after, fresh));
        assert.ok(restOf(before, old).every((part) => !/\p{Surrogate}/u.test(part)));
      }),
    );
  });
});

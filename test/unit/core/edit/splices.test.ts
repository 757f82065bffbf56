// The smallest change that does the same, at positions that a document has.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices } from '../../../../src/core/edit/lines';
import type { Splice } from '../../../../src/core/host';
import { difference, lineEndings, rebased, smallest } from '../../../../src/core/edit/splices';

describe('splices', () => {
  function check(title: string, before: string, splice: Splice, expected: Splice): void {
    it(title, () => assert.deepEqual(smallest(splice, before), expected));
  }
  check('lose what stays at their ends', 'abcdef', { start: 1, end: 5, text: 'bXde' }, { start: 2, end: 3, text: 'X' });
  check('may come to nothing', 'abc', { start: 0, end: 3, text: 'abc' }, { start: 3, end: 3, text: '' });
  check('do not cut a pair', '😀', { start: 0, end: 2, text: '😁' }, { start: 0, end: 2, text: '😁' });
  check('do not cut a line ending', 'a\r\n', { start: 0, end: 3, text: 'a\rb' }, { start: 1, end: 3, text: '\rb' });

  it('do the same as before they were made small', () => {
    const anyText = fc
      .array(fc.constantFrom('a', 'b', '\r', '\n', '😀', '😁'), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (head, old, tail, text) => {
        const before = head + old + tail;
        const splice = { start: head.length, end: head.length + old.length, text };
        assert.equal(applySplices(before, [smallest(splice, before)]), applySplices(before, [splice]));
      }),
    );
  });

  it('R31: take an edit back and leave alone what was typed elsewhere since', () => {
    const word = fc.stringMatching(/^[ab]{0,4}$/);
    fc.assert(
      fc.property(word, word, word, word, (head, old, made, typed) => {
        const [before, after] = [`${head}|${old}|`, `${head}|${made}|`];
        const back = difference(after, before);
        assert.equal(applySplices(after, [back]), before);
        for (const [now, expected] of [
          [`${typed}>${after}`, `${typed}>${before}`],
          [`${after}<${typed}`, `${before}<${typed}`],
        ] as const) {
          const moved = rebased(back, after, now);
          assert.equal(moved && applySplices(now, [moved]), old === made && !moved ? undefined : expected);
        }
      }),
    );
  });

  it('R31: are not guessed where somebody typed in the same place', () => {
    const back = difference('one TWO three', 'one two three');
    assert.deepEqual(back, { start: 4, end: 7, text: 'two' });
    assert.equal(rebased(back, 'one TWO three', 'one TxWO three'), undefined);
  });

  it('know the line endings of a text', () => {
    const found = ['', 'a\nb', 'a\r\nb', 'a\rb', 'a\r\n\nb\r'].map((text) => [...lineEndings(text)]);
    assert.deepEqual(found, [[], ['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r']]);
  });
});

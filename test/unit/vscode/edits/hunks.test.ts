// From one side of a diff to the other, and back.
import assert from 'node:assert/strict';
import type { Hunk } from '../../../../src/common/display';
import { patched, reversed } from '../../../../src/vscode/edits/hunks';

describe('hunks', () => {
  const hunks: Hunk[] = [
    {
      oldStart: 1,
      newStart: 1,
      lines: [
        { sign: ' ', text: 'a' },
        { sign: '-', text: 'b' },
        { sign: '+', text: 'B' },
        { sign: '+', text: 'b2' },
      ],
    },
    { oldStart: 4, newStart: 5, lines: [{ sign: '-', text: 'd' }] },
  ];

  function check(title: string, before: string, after: string): void {
    it(title, () => {
      assert.equal(patched(before, hunks), after);
      assert.equal(patched(after, hunks.map(reversed)), before);
    });
  }
  check('change lines', 'a\nb\nc\nd\n', 'a\nB\nb2\nc\n');
  check('keep carriage returns', 'a\r\nb\r\nc\r\nd\r\n', 'a\r\nB\r\nb2\r\nc\r\n');
  it('do not fit another text', () => assert.equal(patched('a\nx\nc\nd\n', hunks), undefined));
});

// Output may colour a terminal, and nothing else.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanForTerminal, createTerminalFilter } from '../../../../src/vscode/shell/terminalFilter';

describe('the terminal filter', () => {
  function check(title: string, output: string, expected: string): void {
    it(title, () => assert.equal(cleanForTerminal(output), expected));
  }

  check('adds carriage returns', 'a\nb\r\nc\rd', 'a\r\nb\r\nc\rd');
  check(
    'keeps colours',
    '\x1b[1;31mred\x1b[0m \x1b[38:5:2mgreen\x1b[m',
    '\x1b[1;31mred\x1b[0m \x1b[38:5:2mgreen\x1b[m',
  );
  check('drops the cursor and the screen', 'a\x1b[2J\x1b[H\x1b[?1049hb\x1b[6n', 'ab');
  check('drops titles and the clipboard', 'a\x1b]0;title\x07b\x1b]52;c;aGk=\x1b\\c', 'abc');
  check('drops links but keeps their text', '\x1b]8;;http://evil\x07text\x1b]8;;\x07', 'text');
  check('drops device strings', 'a\x1bPq#1\x1b\\b\x1b_x\x1b\\c', 'abc');
  check('drops the end of a bracketed paste', 'a\x1b[201~b', 'ab');
  check('drops short escapes', 'a\x1bcb\x1b(0c\x1b7d', 'abcd');
  check('drops 8-bit controls', 'a\u009b2Jb\u009d0;x\u0007c', 'abc');
  check('drops bells and other controls', 'a\x07b\x00c\x7fd', 'abcd');
  check('keeps tabs and backspaces', 'a\tb\bc', 'a\tb\bc');
  check('holds back what is not finished', 'a\x1b[31', 'a');
  check('keeps letters of all kinds', 'é😀漢', 'é😀漢');

  it('does the same whatever the pieces are', () => {
    const anyOutput = fc
      .array(fc.constantFrom('a', 'é', '\n', '\r', '\x1b', '[', ']', '0', ';', 'm', 'J', '\x07', '\\', '\u009b', 'P'), {
        maxLength: 40,
      })
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(anyOutput, fc.array(fc.nat(60), { maxLength: 6 }), (bytes, cuts) => {
        const filter = createTerminalFilter();
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, n) => filter(bytes.subarray(ends[n - 1] ?? 0, end))).join('');
        assert.equal(pieces.replaceAll('\r', ''), cleanForTerminal(bytes.toString()).replaceAll('\r', ''));
        assert.doesNotMatch(pieces, /\x1b(?!\[[0-9;:]*m)/);
      }),
    );
  });
});

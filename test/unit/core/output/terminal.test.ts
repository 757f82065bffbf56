// What programs print to a terminal, as text: however the bytes are split, the same text, and no control character in it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TerminalText } from '../../../../src/core/output/terminal';

function resolve(...chunks: readonly (string | Uint8Array)[]): string {
  const text = new TerminalText();
  const parts = chunks.map((chunk) => text.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  return parts.join('') + text.end();
}

/** `docker pull`: up to the row, erased, written, down again. */
const DOCKER =
  'Pulling\na: 0%\nb: 0%\n' +
  [50, 100].map((at) => `\x1b[2A\x1b[2K\ra: ${at}%\r\x1b[2B\x1b[1A\x1b[2K\rb: ${at}%\r\x1b[1B`).join('') +
  '\x1b[2A\x1b[2K\ra: done\r\x1b[2B\x1b[1A\x1b[2K\rb: done\r\x1b[1BEnd\n';

/** npm, ink, pip's rich and others: all rows erased from below, then all printed. */
const INK = [1, 2, 3]
  .map((at) => `fast   ${at}/3\nslow   ${at}/3\n`)
  .join('\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[G')
  .concat('ok\n');

const APT_BAR = (at: number) => `\x1b7\x1b[30;0f\x1b[42m\x1b[30mProgress: [ ${at}%]\x1b[49m\x1b[39m [##..]\x1b8`;
const APT =
  `\n\x1b7\x1b[0;29r\x1b8\x1b[1A${APT_BAR(10)}Unpacking a\r\n${APT_BAR(50)}Unpacking b\r\n${APT_BAR(90)}` +
  '\x1b7\x1b[0;30r\x1b8\x1b[1A\x1b[1B\x1b[J';

const FLOODS: Readonly<Record<string, string>> = {
  lines: 'y\n',
  'one line': 'x',
  zeros: '\0',
  bells: '\x07',
  'carriage returns': 'ab\r',
  backspaces: 'x\b',
  'rows gone up': 'ab\n\x1b[A',
  'rows gone down': 'a\x1b[99B',
  'inserted rows': '\x1b[99L',
  'inserted characters': 'a\x1b[99@',
  'strings without an end': '\x1b]8;;',
  'sequences without an end': '\x1b[1;',
  'cleared screens': 'a\x1b[2J',
  'saved places': 'a\x1b7\x1b[1;1Hb',
  colours: '\x1b[1;31mred\x1b[0m',
};

const CASES: readonly { what: string; input: string; output: string }[] = [
  { what: 'plain text', input: 'a\n\tb\nc', output: 'a\n\tb\nc' },
  { what: 'CRLF', input: 'a\r\nb\r\n', output: 'a\nb\n' },
  { what: 'colours', input: '\x1b[1;31mred\x1b[0m \x1b[38;5;9mx\x1b[m', output: 'red x' },
  { what: 'progress on one line', input: '10%\r50%\r100%\ndone\n', output: '100%\ndone\n' },
  { what: 'progress that is left standing', input: '10%\r50%\r', output: '50%' },
  { what: 'an erased line', input: 'wait\x1b[2Kdone\n', output: 'done\n' },
  { what: 'a line begun again', input: 'wait\x1b[1Gdone\n', output: 'done\n' },
  { what: 'erasing to the end keeps the line', input: 'abc\x1b[K\n', output: 'abc\n' },
  { what: 'backspaces', input: 'abd\bc\n', output: 'abc\n' },
  { what: 'a backspace over a character of two units', input: 'a😀\bb', output: 'ab' },
  { what: 'a title', input: '\x1b]0;title\x07text', output: 'text' },
  { what: 'a link', input: '\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', output: 'link' },
  { what: 'the clipboard', input: '\x1b]52;c;cm0gLXJm\x07text', output: 'text' },
  { what: 'a device string', input: '\x1bPq#0;2\x1b\\text', output: 'text' },
  { what: 'C1 sequences', input: '\u009b31mred\u009d0;t\u009ctext', output: 'redtext' },
  { what: 'character sets and modes', input: '\x1b(B\x1b=\x1b[?25ltext\x1b[?25h', output: 'text' },
  { what: 'bells, nulls and deletes', input: 'a\x07\0\x7f\x85b', output: 'ab' },
  { what: 'a sequence cut by a line', input: 'a\x1b[12\nb', output: 'a\nb' },
  { what: 'R44: several bars, each redrawn in its row', input: DOCKER, output: 'Pulling\na: done\nb: done\nEnd\n' },
  { what: 'R44: several bars, erased and printed anew', input: INK, output: 'fast   3/3\nslow   3/3\nok\n' },
  { what: 'R44: a bar at the foot of the screen, out of the way', input: APT, output: 'Unpacking a\nUnpacking b\n' },
  { what: 'a bar between saving and restoring', input: '\x1b[s10%\x1b[u20%\x1b[u\x1b[Kdone\n', output: 'done\n' },
  {
    what: 'a cursor that is sent away and never comes back',
    input: 'a\n\x1b7\x1b[1;1Hkept\nalso\n',
    output: 'a\nkept\nalso\n',
  },
  {
    what: 'R44: a screen of its own, as it was last',
    input: 'before\n\x1b[?1049h\x1b[H\x1b[2Jone\x1b[2;3Htwo\x1b[H\x1b[2J\x1b[Hthree\x1b[2;3Hfour\x1b[?1049lafter\n',
    output: 'before\nthree\n  four\nafter\n',
  },
  { what: 'a cleared screen keeps what was there', input: 'a\n\x1b[H\x1b[2J\x1b[3Jb\n', output: 'a\nb\n' },
  {
    what: 'a screen that is drawn from its top again',
    input: '\x1b[Ha 1\nb 1\n\x1b[Ha 2\nb 2\n',
    output: 'a 2\nb 2\n',
  },
  { what: 'a shorter text over a longer one', input: 'abcdef\rxy\n', output: 'xycdef\n' },
  { what: 'blanks over what was there', input: 'abc\r   \rd\n', output: 'd\n' },
  { what: 'wide characters written over', input: '漢字😀b\r😀\n', output: '😀字😀b\n' },
  { what: 'columns that are skipped', input: 'a\x1b[3Cb\n', output: 'a   b\n' },
  { what: 'characters taken out, put in and blanked', input: 'abcd\x1b[3D\x1b[P\x1b[@x\x1b[X\n', output: 'ax d\n' },
  { what: 'rows taken out and put in', input: 'a\nb\nc\x1b[A\r\x1b[Mx\x1b[L\n', output: 'a\n\nx' },
  { what: 'a picture', input: `a\x1b]1337;File=:${'QUJD'.repeat(1_100)}\x07b`, output: 'ab' },
  { what: 'a link that is cut by a line', input: '\x1b]8;;http://x\nb\n', output: '\nb\n' },
  { what: 'what is no sequence', input: 'a\x1b[é\x1b漢', output: 'aé漢' },
  { what: 'a sequence that is called off', input: 'a\x1b[1\x18b\x1b]0;x\x1ac', output: 'abc' },
  { what: 'the keyboard’s and the mouse’s modes', input: '\x1b[>1u\x1b[?1000;1006ha\x1b[<u', output: 'a' },
  { what: 'bracketed paste (S86)', input: '\x1b[201~touch x', output: 'touch x' },
];

describe('TerminalText', () => {
  for (const { what, input, output } of CASES) {
    it(what, () => {
      assert.equal(resolve(input), output);
      const bytes = Buffer.from(input);
      for (let at = 0; at <= bytes.length; at++)
        assert.equal(resolve(bytes.subarray(0, at), bytes.subarray(at)), output, `split at ${at}`);
    });
  }

  it('shows what is being written, and holds what may still change', () => {
    const text = new TerminalText();
    assert.deepEqual(
      [text.push(Buffer.from('one\ntw')), text.pending(), text.settle(), text.pending(), text.end()],
      ['', 'one\ntw', 'one\n', 'tw', 'tw'],
    );
  });

  it('holds as many rows as a program can go back over, and no more', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('');
    const text = new TerminalText();
    const done = text.push(Buffer.from(lines));
    assert.ok(text.pending().split('\n').length <= 202);
    assert.equal(done + text.pending(), lines);
    const changed = resolve(lines, '\x1b[500A!');
    assert.equal(changed, lines.replace('line 901\n', '!ine 901\n'));
  });

  for (const [what, piece] of Object.entries(FLOODS))
    it(`R44: takes a megabyte of ${what}`, () => {
      const chunk = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
      const text = new TerminalText();
      for (let at = 0; at < 16; at++) {
        text.push(chunk);
        assert.ok(text.pending().length < 4 * 1024 * 1024);
      }
      text.end();
    });

  it('loses nothing but control characters where no cursor is moved', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\t', 'x'.repeat(20_000), '\n'.repeat(300))),
        ),
        (parts) => {
          const text = parts.join('').replace(/[\x08\r\x0e-\x1f\x7f-\x9f]/g, '');
          assert.equal(
            resolve(text),
            Buffer.from(text)
              .toString()
              .replace(/[\x00-\x07\x0b\x0c]/g, ''),
          );
        },
      ),
    ));

  it('hands on what never ends its line or its sequence', () => {
    const text = new TerminalText();
    const long = Buffer.from('x'.repeat(200_000));
    assert.ok(text.push(long).length > 100_000);
    assert.ok(resolve('\x1b]', 'y'.repeat(10_000), '\nafter').endsWith('\nafter'));
  });

  it('turns invalid bytes into marks', () => assert.equal(resolve(Uint8Array.of(0x61, 0xff, 0x62)), 'a\ufffdb'));

  it('gives the same text however it is split, without a control character', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('\x1b[', '\x1b]', '\r', '\n', '\b', '\x07', 'm', '2K', 'é😀'),
          ),
        ),
        fc.array(fc.nat(5)),
        (parts, sizes) => {
          const bytes = Buffer.from(parts.join(''));
          const chunks: Buffer[] = [];
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = (sizes[i % Math.max(1, sizes.length)] ?? 0) + 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          const whole = resolve(bytes);
          assert.equal(resolve(...chunks), whole);
          assert.doesNotMatch(whole, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        },
      ),
    ));
});

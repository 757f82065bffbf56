// What programs print to a terminal, as text: however the bytes are split, the same text, and no control character in it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TerminalText } from '../../../../src/core/output/terminal';

function resolve(...chunks: readonly (string | Uint8Array)[]): string {
  const text = new TerminalText();
  const parts = chunks.map((chunk) => text.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  return parts.join('') + text.end();
}

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

  it('shows the line that is being written', () => {
    const text = new TerminalText();
    assert.deepEqual(
      [text.push(Buffer.from('one\ntw')), text.pending(), text.push(Buffer.from('o\n')), text.pending()],
      ['one\n', 'tw', 'two\n', ''],
    );
  });

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

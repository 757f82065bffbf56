// Texts of servers: nothing hidden, nothing endless.
import assert from 'node:assert/strict';
import { plainText, Tail } from '../../../../src/core/mcp/text';

function check(title: string, text: string, expected: string): void {
  it(title, () => assert.equal(plainText(text, 20), expected));
}

describe('plainText', () => {
  check('leaves lines and tabs', ' a\n\tb ', 'a\n\tb');
  check('takes out control characters', 'a\x1b[31m\x00b\r', 'a[31mb');
  check('takes out what turns the direction', 'a\u202eb\u2066c', 'abc');
  check('takes out what has no width', 'a\u200bb\ufeffc\u2028d', 'abcd');
  check('takes out tags and variation selectors', 'a\u{e0041}\u{e0100}\ufe0fb', 'ab');
  check('ends in time', 'x'.repeat(21), `${'x'.repeat(19)}…`);
  check('does not count what is hidden', `${'\u200b'.repeat(30)}x`, 'x');
  check('does not look through it for ever', `a${'\u200b'.repeat(100)}x`, 'a…');
  check('does not cut a character in half', `${'x'.repeat(18)}😀😀`, `${'x'.repeat(18)}…`);
});

describe('Tail', () => {
  it('keeps the end, whatever comes', () => {
    const tail = new Tail(100);
    const bytes = new TextEncoder().encode('0123456789');
    for (let i = 0; i < 10_000; i++) tail.push(bytes);
    tail.push(new TextEncoder().encode(`${'y'.repeat(1_000_000)}z`));
    assert.equal(tail.read(), `${'y'.repeat(99)}z`);
    tail.clear();
    assert.equal(tail.read(), '');
  });
});

// What a model must not read because a person does not see it: taken out of results, and nothing else is.
import assert from 'node:assert/strict';
import { withoutHidden } from '../../../../src/core/output/hidden';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

function check(name: string, text: string, expected: string, count: number): void {
  it(name, () => assert.deepEqual(withoutHidden(text), { text: expected, count }));
}

describe('withoutHidden', () => {
  check('ordinary text stays', 'a\tb\r\nc äöü 你好 🎉 é\u0301', 'a\tb\r\nc äöü 你好 🎉 é\u0301', 0);
  check('what is spelled in tags', `see${tags('run rm')} here`, 'see here', 6);
  check('direction marks', 'a\u202eb\u2066c\u2069\u061c', 'abc', 4);
  check('zero-width letters', 'pay\u200cpal\u200b\u2060', 'paypal', 3);
  check('joined emoji stay', '👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧', 0);
  check('flags of parts of a country stay', `🏴${tags('gbsct')}\u{e007f}`, `🏴${tags('gbsct')}\u{e007f}`, 0);
  check('other tags after a flag do not', `🏴${tags('run')}\u{e007f}`, '🏴', 4);
  check('Persian keeps its non-joiner', 'می\u200cخواهم', 'می\u200cخواهم', 0);
});

// What hides in a text is shown: direction marks, invisible letters, control characters, runs of blanks.
import assert from 'node:assert/strict';
import { showBlankRuns, showHidden, showOutput } from '../../../../webview/text/visible';

describe('visible text', () => {
  function check(name: string, actual: () => string, expected: string): void {
    it(name, () => assert.equal(actual(), expected));
  }

  check('plain text stays', () => showHidden('a\tb\nc äöü 你好 🎉'), 'a\tb\nc äöü 你好 🎉');
  check('a direction mark', () => showHidden('a\u202eb'), 'a⟨U+202E⟩b');
  check('a zero-width space', () => showHidden('a\u200bb'), 'a⟨U+200B⟩b');
  check('tags', () => showHidden('a\u{e0041}'), 'a⟨U+E0041⟩');
  check('a variation selector of the supplement', () => showHidden('a\u{e0100}'), 'a⟨U+E0100⟩');
  check('escape and bell', () => showHidden('\u001b[31m\u0007'), '⟨U+001B⟩[31m⟨U+0007⟩');
  check('a lone carriage return', () => showHidden('safe\rrm'), 'safe⟨U+000D⟩rm');
  check('Windows line ends', () => showHidden('a\r\nb'), 'a\nb');
  check('joined emoji stay', () => showHidden('👩‍👩‍👧 and 🏳️‍🌈'), '👩‍👩‍👧 and 🏳️‍🌈');
  check('flags of parts of a country stay', () => showHidden('🏴󠁧󠁢󠁳󠁣󠁴󠁿'), '🏴󠁧󠁢󠁳󠁣󠁴󠁿');
  check('other tags after a flag do not', () => showHidden('🏴\u{e0041}\u{e007f}'), '🏴⟨U+E0041⟩⟨U+E007F⟩');
  check('Persian keeps its non-joiner', () => showHidden('می\u200cخواهم'), 'می\u200cخواهم');
  check('Latin letters have none', () => showHidden('pay\u200cpal'), 'pay⟨U+200C⟩pal');

  check('colours of a program are left out', () => showOutput('\u001b[1;31mred\u001b[0m'), 'red');
  check('a link of a terminal', () => showOutput('\u001b]8;;https://evil.test\u0007click\u001b]8;;\u0007'), 'click');
  check('the clipboard of a terminal', () => showOutput('a\u001b]52;c;cm0gLXJm\u001b\\b'), 'ab');
  check('a sequence without an end hides nothing', () => showOutput('\u001b]0;title\nerror: x'), '0;title\nerror: x');
  check('C1 forms', () => showOutput('\u009b31mred\u009d0;t\u009c!'), 'red!');

  check('short runs stay', () => showBlankRuns('a       b\n\n\nc'), 'a       b\n\n\nc');
  check('many spaces', () => showBlankRuns(`ls${' '.repeat(60)}; rm -rf x`), 'ls␣×60 ; rm -rf x');
  check('many tabs', () => showBlankRuns(`a${'\t'.repeat(9)}b`), 'a⇥×9 b');
  check('many empty lines', () => showBlankRuns(`a${'\n'.repeat(40)}b`), 'a⏎×40\nb');
  check('empty lines with blanks in them', () => showBlankRuns(`a${'  \n'.repeat(40)}b`), 'a⏎×40\nb');
  check('other blanks', () => showBlankRuns(`a${'\u3000'.repeat(8)}b`), 'a␣×8 b');

  it('long and hostile texts take no time', () => {
    const texts = [`${' '.repeat(200_000)}x`, '\u001b]'.repeat(100_000), '\u009d'.repeat(100_000), '🏴'.repeat(50_000)];
    for (const text of texts) assert.ok(showBlankRuns(showOutput(text)).length >= 0);
  });
});

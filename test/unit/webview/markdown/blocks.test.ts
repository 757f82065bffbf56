// Cutting a stream into blocks: the same blocks as the whole text has, however it is chopped up on its way.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { growBlocks, NO_BLOCKS } from '../../../../webview/markdown/blocks';
import { parseMarkdown, type Token } from '../../../../webview/markdown/parser';

const PIECES = [
  '# Title',
  'words',
  '- item',
  '  more',
  '1. one',
  '> quote',
  '```',
  '```js',
  '| a | b |',
  '|---|---|',
  '---',
  '-',
  '===',
  '    code',
  '*',
  '[x]: /y',
  '[x]:',
  '[x]',
  "'",
  '(title',
  'end)',
  '|',
  '\t',
  '',
];
const markdown = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('\n', '\n\n', '\r\n', '\r', ' ', '')), { maxLength: 14 })
  .map((pieces) => pieces.flat().join(''));

interface Shape {
  readonly type: string;
  readonly level: number;
  readonly content: string;
  readonly hidden: boolean;
}

function shapes(tokens: readonly Token[]): Shape[] {
  return tokens.map(({ type, level, content, hidden }) => ({ type, level, content, hidden }));
}

function stream(text: string, cuts: readonly number[]) {
  const ends = [...cuts.map((cut) => (text.length === 0 ? 0 : cut % text.length)), text.length].sort((a, b) => a - b);
  return ends.reduce((blocks, end) => growBlocks(blocks, text.slice(0, end)), NO_BLOCKS);
}

describe('blocks of streaming markdown', () => {
  function check(name: string, text: string, settled: readonly string[], live: string): void {
    it(name, () => {
      const blocks = growBlocks(NO_BLOCKS, text);
      assert.deepEqual({ settled: blocks.settled, live: blocks.live }, { settled, live });
    });
  }

  check('one paragraph is still growing', 'one\ntwo', [], 'one\ntwo');
  check('a block is settled when the next one stands on a whole line', 'one\n\ntwo\n', ['one\n\n'], 'two\n');
  check('a last line that is not whole settles nothing', 'one\n\ntwo', [], 'one\n\ntwo');
  check('a dash may become the underline of a heading', 'one\n-', [], 'one\n-');
  check('a fence without an end takes the rest', '```ts\na\n\n# b\n', [], '```ts\na\n\n# b\n');
  check('a definition is a block', 'a\n\n[x]: /y\n\nb\n', ['a\n\n', '[x]: /y\n\n'], 'b\n');
  check('only definitions are text too', '[x]: /y\n', [], '[x]: /y\n');

  check(
    'a table begins when the line under its head is whole',
    '[x]\n| a | b |\n|---|---|',
    [],
    '[x]\n| a | b |\n|---|---|',
  );
  check('a table settles what it ends', 'a\n| a |\n|---|\n', ['a\n'], '| a |\n|---|\n');
  check("a definition's title may be on the way", "[x]: /y\n'title\n", [], "[x]: /y\n'title\n");
  check('a line ends in any way', '# a\r\n---\r\nb\r', ['# a\r\n', '---\r\n'], 'b\r');

  it('blocks together are the whole text', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat()), (text, cuts) => {
        const { settled, live } = stream(text, cuts);
        assert.equal(settled.join('') + live, text);
      }),
    );
  });

  it('drawn one by one they are what the whole text is', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat()), (text, cuts) => {
        const { settled, live } = stream(text, cuts);
        const one = [...settled, live].flatMap((block) => shapes(parseMarkdown(block)));
        assert.deepEqual(one, shapes(parseMarkdown(text)));
      }),
      { numRuns: 400 },
    );
  });

  it('a text that begins otherwise starts anew', () => {
    const before = growBlocks(NO_BLOCKS, 'one\n\ntwo\n');
    assert.deepEqual(growBlocks(before, 'x\n\ny\n'), { settled: ['x\n\n'], live: 'y\n', settledChars: 3 });
  });
});

// Lines of large files: only those asked for are kept, however far in and however long.
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { isProblem, type LineRange, type TextLines } from '../../../src/core/host';
import { readLines } from '../../../src/node/lines';
import { inWorkspace } from '../../support/workspace';

const NEVER = new AbortController().signal;
const RANGE: LineRange = { first: 1, count: 100, lineMaxChars: 20, maxChars: 1_000 };

describe('R34 Files.lines', () => {
  function check(what: string, content: string | Uint8Array, range: Partial<LineRange>, expected: TextLines | RegExp) {
    it(what, () =>
      inWorkspace({ 'a.txt': content }, async ({ host, path }) => {
        const found = await host.files.lines(path('a.txt'), { ...RANGE, ...range }, NEVER);
        if (!(expected instanceof RegExp)) assert.deepEqual(found, expected);
        else assert.match(isProblem(found) ? found.message : '', expected);
      }),
    );
  }
  check('all of a small one', 'a\nb\n', {}, whole(['a', 'b'], 2));
  check('without a newline at the end', 'a\nb', {}, whole(['a', 'b'], 2));
  check('without any', 'abc', {}, whole(['abc'], 1));
  check('of nothing', '', {}, whole([], 0));
  check('without carriage returns', 'a\r\nb\r', {}, whole(['a', 'b'], 2));
  check('a part, whose end is not looked for', 'a\nb\nc\nd', { first: 2, count: 2 }, whole(['b', 'c']));
  check('the last part', 'a\nb\nc', { first: 3 }, whole(['c'], 3));
  check('past the end: how many there are', 'a\nb\n', { first: 9 }, whole([], 2));
  check('as many as there is room for', 'abc\ndef\nghi\n', { maxChars: 4 }, whole(['abc', 'def']));
  check(
    'a long one in part',
    `${'x'.repeat(50)}\ny`,
    {},
    {
      lines: [
        { text: 'x'.repeat(20), moreBytes: 30 },
        { text: 'y', moreBytes: 0 },
      ],
      ...{ total: 2, isDirty: false },
    },
  );
  check(
    'no half of a character',
    `${'x'.repeat(19)}😀z`,
    {},
    {
      lines: [{ text: 'x'.repeat(19), moreBytes: 5 }],
      ...{ total: 1, isDirty: false },
    },
  );
  check('after a byte-order mark', '\ufeffé\n', {}, whole(['é'], 1));
  check('of UTF-16', Buffer.from('\ufeffé\r\nb', 'utf16le'), {}, whole(['é', 'b'], 2));
  check('of UTF-16 the other way round', Buffer.from('\ufeffé\nb', 'utf16le').swap16(), {}, whole(['é', 'b'], 2));
  check('none of what is binary', 'a\0b', {}, /is a binary file/);
  check('none of a part that is binary', `${'a\n'.repeat(9_000)}\0\n`, { first: 8_999 }, /is a binary file/);
  check('none of what is no UTF-8', Buffer.from('e9650a', 'hex'), {}, /is not valid UTF-8 text/);
  check('none of what ends within a character', Buffer.from('61e2820a', 'hex'), {}, /is not valid UTF-8 text/);

  it('tells the same lines as the whole text does', () =>
    inWorkspace({}, async ({ path }) => {
      const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n'), maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(
          text,
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 12 }),
          async (all, first, count) => {
            const file = await open(path('a.txt'), 'w');
            await file.writeFile(all);
            await file.close();
            const found = await readLines(path('a.txt'), { ...RANGE, first, count, lineMaxChars: 99 }, NEVER);
            const lines = all.split('\n').map((line) => line.replace(/\r$/, ''));
            if (all === '' || all.endsWith('\n')) lines.pop();
            const expected = lines.slice(first - 1, first - 1 + count);
            assert.ok(!isProblem(found));
            assert.deepEqual(
              found.lines.map((line) => line.text),
              expected,
            );
            assert.equal(found.total ?? lines.length, lines.length);
            if (first > lines.length) assert.equal(found.total, lines.length);
          },
        ),
        { numRuns: 100 },
      );
    }));

  it('tells a pipe and a folder without waiting for them', () =>
    inWorkspace({ pipe: { pipe: true }, 'sub/a': '' }, async ({ host, path }) => {
      const problems = await Promise.all(
        ['pipe', 'sub', 'none'].map((name) => host.files.lines(path(name), RANGE, NEVER)),
      );
      assert.deepEqual(
        problems.map((found) => isProblem(found) && found.problem),
        ['not-regular', 'not-regular', 'missing'],
      );
    }));
});

describe('R34 a file of 1 GB', () => {
  const SIZE_BYTES = 1024 ** 3;
  const MAX_GROWTH_BYTES = 50 * 1024 * 1024;

  /** Zeros but for its beginning and its end, so that it takes no room on the disk. */
  async function makeHuge(path: string, head: string, tail: string): Promise<void> {
    const file = await open(path, 'w');
    await file.write(head, 0);
    await file.write(tail, SIZE_BYTES - Buffer.byteLength(tail));
    await file.close();
  }

  it('is read at its beginning and to its end in bounded memory', () =>
    inWorkspace({}, async ({ host, path }) => {
      await makeHuge(path('huge.log'), `${'first\n'.repeat(3_000)}`, '\nlast line\n');
      const before = process.memoryUsage.rss();
      const head = await host.files.lines(path('huge.log'), { ...RANGE, count: 2 }, NEVER);
      const end = await host.files.lines(path('huge.log'), { ...RANGE, first: 3_002 }, NEVER);
      const growth = process.memoryUsage.rss() - before;
      assert.deepEqual(head, whole(['first', 'first']));
      assert.deepEqual(end, whole(['last line'], 3_002));
      assert.ok(growth < MAX_GROWTH_BYTES, `grew by ${growth} bytes`);
    }));

  it('is left as soon as the call is stopped', () =>
    inWorkspace({}, async ({ host, path }) => {
      await makeHuge(path('huge.log'), `${'x\n'.repeat(9_000)}`, '\n');
      const stop = new AbortController();
      const reading = host.files.lines(path('huge.log'), { ...RANGE, first: 1_000_000 }, stop.signal);
      await host.clock.sleep(5);
      stop.abort();
      const found = await reading;
      assert.match(isProblem(found) ? found.message : '', /was not read to that line: the call was stopped\.$/);
    }));
});

function whole(texts: readonly string[], total?: number): TextLines {
  const lines = texts.map((text) => ({ text, moreBytes: 0 }));
  return { lines, ...(total === undefined ? {} : { total }), isDirty: false };
}

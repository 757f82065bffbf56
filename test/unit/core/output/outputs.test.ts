// Whole outputs: nothing is lost or altered on the way to the store and back, and memory stays bounded.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Outputs, PIECE_BYTES } from '../../../../src/core/output/outputs';
import { TextAssembler, wholeCharacters } from '../../../../src/core/output/text';
import type { SettingValues } from '../../../../src/node/settings';
import { createWorkspace } from '../../../support/workspace';

const SIZES = { keepChars: 100 };

interface Stored {
  readonly outputs: Outputs;
  /** Another session object on the same store, as after a restart. */
  readonly resumed: () => Outputs;
  readonly names: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<void>;
}

async function withOutputs(
  settings: SettingValues,
  use: (stored: Stored) => Promise<void>,
  maxBytes?: number,
): Promise<void> {
  const workspace = await createWorkspace({}, { settings });
  const { host } = workspace;
  const make = (): Outputs => new Outputs({ host, session: 's1', ...(maxBytes === undefined ? {} : { maxBytes }) });
  try {
    const { store } = host;
    await use({ outputs: make(), resumed: make, names: () => store.list('outputs/'), remove: store.remove });
  } finally {
    await workspace.remove();
  }
}

/** Everything from a start, piece by piece. */
async function readAll(outputs: Outputs, call: string, offset = 0): Promise<string> {
  let text = '';
  for (let at = offset; ;) {
    const piece = await outputs.read(call, at);
    assert.ok(Buffer.byteLength(piece.text) <= PIECE_BYTES);
    if (piece.next === at) return text;
    text += piece.text;
    at = piece.next;
  }
}

async function linesOf(outputs: Outputs, call: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of outputs.lines(call)) lines.push(line);
  return lines;
}

const unit = fc.constantFrom('a', 'é', '漢', '😀', '\n', '\r\n', '\ufeff', '\u0000');
const text = fc
  .array(fc.tuple(unit, fc.integer({ min: 1, max: 9_000 })), { maxLength: 6 })
  .map((runs) => runs.map(([char, times]) => char.repeat(times)).join(''));

describe('Outputs', () => {
  for (const [where, memoryBytes] of [
    ['in memory', 64 * 1024 * 1024],
    ['on disk', 1],
  ] as const) {
    it(`gives back ${where} what was written, however it was cut up`, () =>
      withOutputs({ 'output.memoryBytes': memoryBytes }, async ({ outputs, resumed }) => {
        let count = 0;
        await fc.assert(
          fc.asyncProperty(
            text,
            fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 }),
            async (whole, sizes) => {
              const call = `c${++count}`;
              const out = outputs.open(call, SIZES);
              const bytes = Buffer.from(whole);
              for (let at = 0, i = 0; at < bytes.length; i++) {
                const size = sizes[i % sizes.length]!;
                out.write(bytes.subarray(at, at + size));
                at += size;
              }
              const ended = await outputs.close(call, out);
              assert.equal(ended.chars, whole.length);
              assert.equal(await readAll(outputs, call), whole);
              assert.equal(await readAll(resumed(), call), whole);
              const expectedInfo =
                whole === '' && memoryBytes > 1 ? { bytes: 0, isOpen: false } : { bytes: bytes.length, isOpen: false };
              if (whole !== '') assert.deepEqual(await outputs.info(call), expectedInfo);
              const lines = whole.split('\n').map((line) => line.replace(/\r$/, ''));
              if (lines.at(-1) === '') lines.pop();
              assert.deepEqual(await linesOf(outputs, call), lines);
            },
          ),
          { numRuns: 30 },
        );
      }));
  }

  it('B02: can be read while it grows', () =>
    withOutputs({ 'output.memoryBytes': 8 }, async ({ outputs }) => {
      const out = outputs.open('c1', SIZES);
      out.write('first\nsec');
      assert.deepEqual(await outputs.read('c1', 0), { text: 'first\nsec', next: 9 });
      assert.deepEqual(await outputs.info('c1'), { bytes: 9, isOpen: true });
      out.write('ond\n');
      assert.deepEqual(await outputs.read('c1', 9), { text: 'ond\n', next: 13 });
      assert.deepEqual(await linesOf(outputs, 'c1'), ['first', 'second']);
      await outputs.close('c1', out);
      out.write('too late');
      assert.deepEqual(await outputs.info('c1'), { bytes: 13, isOpen: false });
    }));

  it('a miss is never an error', () =>
    withOutputs({}, async ({ outputs }) => {
      assert.equal(await outputs.info('none'), undefined);
      assert.deepEqual(await outputs.read('none', 5), { text: '', next: 5 });
      assert.deepEqual(await outputs.read('none', Number.NaN), { text: '', next: 0 });
      assert.deepEqual(await outputs.read('none', -3), { text: '', next: 0 });
      assert.deepEqual(await linesOf(outputs, 'none'), []);
    }));

  it('reads from within a character go on at the next one', () =>
    withOutputs({}, async ({ outputs }) => {
      const out = outputs.open('c1', SIZES);
      out.write('😀b');
      await outputs.close('c1', out);
      const texts = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(async (at) => (await outputs.read('c1', at)).text));
      assert.deepEqual(texts, ['😀b', 'b', 'b', 'b', 'b', '', '']);
    }));

  it('a second attempt starts from nothing', () =>
    withOutputs({ 'output.memoryBytes': 1 }, async ({ outputs, resumed }) => {
      outputs.open('c1', SIZES).write('first attempt');
      const out = outputs.open('c1', SIZES);
      out.write('second');
      assert.deepEqual(await outputs.close('c1', out), { head: 'second', tail: 'second', chars: 6, newlines: 0 });
      assert.equal(await readAll(resumed(), 'c1'), 'second');
    }));

  it('a call whose id was used before the session was opened again starts from nothing', () =>
    withOutputs({}, async ({ outputs, resumed }) => {
      for (const [session, text] of [
        [outputs, 'first, and longer'],
        [resumed(), 'second'],
      ] as const) {
        const out = session.open('c', SIZES);
        out.write(text);
        await session.close('c', out);
        await session.flush();
      }
      assert.equal(await readAll(resumed(), 'c'), 'second');
    }));

  it('an output whose beginning is removed while it grows is told to be incomplete', () =>
    withOutputs({ 'output.memoryBytes': 1 }, async ({ outputs, remove }) => {
      const out = outputs.open('c', SIZES);
      out.write('a'.repeat(1_000));
      await out.drained();
      await remove('outputs/s1/c');
      out.write('b'.repeat(1_000));
      const { problem } = await outputs.close('c', out);
      assert.equal(problem, 'a part of it was removed from the storage meanwhile');
    }));

  it('stops at its maximum, between characters, and tells it once', () =>
    withOutputs(
      {},
      async ({ outputs }) => {
        let told = 0;
        const out = outputs.open('c1', { ...SIZES, onFull: () => told++ });
        for (let i = 0; i < 5; i++) out.write('abc漢');
        assert.deepEqual(await outputs.close('c1', out), { head: 'abc漢abc', tail: 'abc漢abc', chars: 7, newlines: 0 });
        assert.deepEqual([told, await readAll(outputs, 'c1')], [1, 'abc漢abc']);
      },
      10,
    ));

  it('ids that are no file names stay inside of the folder and apart from each other', () =>
    withOutputs({ 'output.memoryBytes': 1 }, async ({ outputs, names }) => {
      const ids = ['../../evil', '..', 'a/b', 'a:b', '', '漢', '-x', 'plain_ID-1', 'x'.repeat(5_000)];
      for (const id of ids) {
        const out = outputs.open(id, SIZES);
        out.write(id || 'empty');
        await outputs.close(id, out);
      }
      for (const id of ids) assert.equal(await readAll(outputs, id), id || 'empty');
      const stored = await names();
      assert.equal(stored.length, ids.length);
      assert.deepEqual(
        stored.filter((name) => !/^outputs\/s1\/[\w-]+$/.test(name)),
        [],
      );
    }));

  it('keeps only its two ends and a part of the memory of a big output', () =>
    withOutputs({ 'output.memoryBytes': 1024 * 1024 }, async ({ outputs }) => {
      const out = outputs.open('c1', SIZES);
      const chunk = 'x'.repeat(99_999) + '\n';
      for (let i = 0; i < 50; i++) {
        out.write(chunk);
        await out.drained();
      }
      assert.equal(out.memory(), undefined);
      const { head, tail, ...ended } = await outputs.close('c1', out);
      assert.deepEqual([head, tail], ['x'.repeat(100), `${'x'.repeat(99)}\n`]);
      assert.deepEqual(ended, { chars: 5_000_000, newlines: 50 });
      const lengths = (await linesOf(outputs, 'c1')).map(({ length }) => length);
      assert.deepEqual(new Set(lengths), new Set([65_536, 34_463]));
      assert.equal(lengths.length, 100);
    }));
});

describe('TextAssembler', () => {
  function check(name: string, chunks: readonly (string | readonly number[])[], expected: string): void {
    it(name, () => {
      const assembler = new TextAssembler();
      const parts = chunks.map((chunk) => assembler.push(typeof chunk === 'string' ? chunk : Uint8Array.from(chunk)));
      assert.equal([...parts, assembler.end()].join(''), expected);
    });
  }
  check('bytes split inside of a character', [[0xf0, 0x9f], [0x98], [0x80, 0x61]], '😀a');
  check('bytes that end inside of a character', [[0x61, 0xf0, 0x9f]], 'a\ufffd');
  check('bytes that are no UTF-8', [[0x61, 0xff, 0x62]], 'a\ufffdb');
  check('a byte-order mark is kept', [[0xef, 0xbb, 0xbf, 0x61]], '\ufeffa');
  check('text split inside of a pair', ['a\ud83d', '\ude00b'], 'a😀b');
  check('half a pair at the end', ['a\ud83d'], 'a\ufffd');
  check('half a pair before bytes', ['a\ud83d', [0x62]], 'a\ufffdb');
  check('half a character before text', [[0xf0, 0x9f], 'b'], '\ufffdb');
  check('half a pair without its first half', ['a\ude00b'], 'a\ufffdb');
  check('half a pair, then another', ['\ud83d', '\ud83d', '\ude00'], '\ufffd😀');
  check('nothing', ['', []], '');
});

describe('wholeCharacters', () => {
  it('cuts valid text exactly between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), fc.nat(), (whole, a, b) => {
        const bytes = Buffer.from(whole);
        const [from, to] = [a, b].map((at) => at % (bytes.length + 1)).sort((x, y) => x - y) as [number, number];
        const piece = bytes.subarray(from, to);
        const { start, end } = wholeCharacters(piece, true);
        assert.ok(start <= end && end <= piece.length);
        const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece.subarray(start, end));
        assert.ok(piece.length - end + start < 7 || decoded.length > 0);
      }),
    );
  });
});

// The digest of a long result: bounded, made of the output's own lines, and honest about what is missing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExcerptCollector, excerptOf } from '../../../../src/core/output/excerpt';
import { resultLimits, type ResultLimits } from '../../../../src/core/output/limits';
import { shorten } from '../../../../src/core/output/shorten';
import type { Shape } from '../../../../src/core/tool/tool';
import { createSettings, type SettingValues } from '../../../../src/node/settings';

const MARKER = /\[\.\.\. (?:(\d+) lines, )?(\d+) characters left out here\. .* id "c1" \.\.\.\]\n/;
const SHAPES: readonly Shape[] = ['head', 'tail', 'balanced', 'matches', 'window'];

function limitsOf(shape: Shape, maxChars: number, digestChars: number): ResultLimits {
  return { shape, maxChars, digestChars };
}

/** What stands before and after the marker. */
function endsOf(digest: string): { head: string; tail: string; lines: number; chars: number } {
  const match = MARKER.exec(digest);
  assert.ok(match, 'no marker');
  return {
    head: digest.slice(0, match.index),
    tail: digest.slice(match.index + match[0].length),
    lines: Number(match[1] ?? 0),
    chars: Number(match[2]),
  };
}

const line = fc
  .oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'grapheme', maxLength: 30 }))
  .map((text) => text.replace(/[\r\n]/g, ''));
const linesText = fc.array(line, { minLength: 60, maxLength: 400, size: 'max' }).map((lines) => lines.join('\n'));
const anyText = fc.oneof(
  linesText,
  fc.nat(5_000).map((length) => '😀'.repeat(length)),
  fc.tuple(linesText, fc.nat(3_000)).map(([text, length]) => text + 'x'.repeat(length) + text),
);
const shape = fc.constantFrom(...SHAPES);

describe('B01 B08 shorten', () => {
  it('is bounded, honest, cut between characters, and done after one time', () => {
    fc.assert(
      fc.property(
        anyText,
        shape,
        fc.integer({ min: 500, max: 3_000 }),
        fc.integer({ min: 500, max: 3_000 }),
        (text, kind, a, b) => {
          const limits = limitsOf(kind, Math.max(a, b), Math.min(a, b));
          const digest = shorten(excerptOf(text), limits, 'c1');
          assert.equal(shorten(excerptOf(digest), limits, 'c1'), digest);
          if (text.length <= limits.maxChars) return assert.equal(digest, text);
          assert.ok(digest.length <= limits.digestChars);
          assert.ok(!/\p{Surrogate}/u.test(digest));
          const { head, tail, chars, lines } = endsOf(digest);
          const cutInLine = head !== '' && !text.startsWith(head);
          const shownHead = cutInLine ? head.slice(0, -1) : head;
          assert.ok(text.startsWith(shownHead));
          assert.ok(text.endsWith(tail));
          assert.equal(chars, text.length - shownHead.length - tail.length);
          assert.equal(lines, text.slice(shownHead.length, text.length - tail.length).split('\n').length - 1);
        },
      ),
    );
  });

  it('keeps whole lines where they are not longer than half an end', () => {
    fc.assert(
      fc.property(linesText, shape, (text, kind) => {
        const limits = limitsOf(kind, 1_000, 700);
        if (text.length <= limits.maxChars) return;
        const { head, tail } = endsOf(shorten(excerptOf(text), limits, 'c1'));
        assert.ok(head.length + tail.length > 300);
        const lines = text.split('\n');
        const kept = [...head.split('\n').slice(0, -1), ...(tail === '' ? [] : tail.split('\n'))];
        assert.deepEqual(
          kept.filter((part) => !lines.includes(part)),
          [],
        );
      }),
    );
  });

  it('is the same from the two ends of a stream as from the whole text', () => {
    fc.assert(
      fc.property(anyText, shape, fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }), (text, kind, sizes) => {
        const limits = limitsOf(kind, 900, 600);
        const collector = new ExcerptCollector(limits.maxChars);
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = sizes[i % sizes.length]!;
          collector.push(text.slice(at, at + size));
          at += size;
        }
        assert.equal(shorten(collector.excerpt(), limits, 'c1'), shorten(excerptOf(text), limits, 'c1'));
      }),
    );
  });

  /** Characters kept before and after the marker. */
  function shares(kind: Shape, expected: readonly [number, number]): void {
    it(`${kind} keeps ${expected.join(' + ')}`, () => {
      const digest = shorten(excerptOf('123456789\n'.repeat(10_000)), limitsOf(kind, 30_000, 30_000), 'c1');
      const { head, tail } = endsOf(digest);
      assert.deepEqual([head.length, tail.length], expected);
    });
  }
  shares('head', [29_860, 0]);
  shares('balanced', [23_890, 5_970]);
  shares('tail', [5_970, 23_890]);
  shares('window', [23_890, 5_970]);
});

describe('G2 K01 resultLimits', () => {
  function check(
    name: string,
    tool: Parameters<typeof resultLimits>[0],
    settings: SettingValues,
    expected: ResultLimits,
  ): void {
    it(name, () => assert.deepEqual(resultLimits(tool, createSettings(settings)), expected));
  }
  check('the defaults', { shape: 'tail', limits: {} }, {}, limitsOf('tail', 30_000, 8_000));
  check(
    'the settings',
    { shape: 'head', limits: {} },
    { 'tools.maxResultChars': 40_000, 'tools.digestChars': 9_000 },
    limitsOf('head', 40_000, 9_000),
  );
  check(
    "the tool's own limit",
    { shape: 'head', limits: { maxResultChars: 2_000 } },
    {},
    limitsOf('head', 2_000, 2_000),
  );
  check('matches are a shape like others', { shape: 'matches', limits: {} }, {}, limitsOf('matches', 30_000, 8_000));
  check('a window passes whole', { shape: 'window', limits: {} }, {}, limitsOf('window', 100_000, 8_000));
  check(
    'nonsense in the settings',
    { shape: 'head', limits: {} },
    { 'tools.maxResultChars': -1, 'tools.digestChars': 0 },
    limitsOf('head', 500, 500),
  );
});

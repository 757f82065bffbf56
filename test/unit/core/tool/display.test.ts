// Displays within their bound, whatever a tool puts in, and with a count of what is gone.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DISPLAY_MAX_CHARS, type Display } from '../../../../src/common/display';
import { fitDisplay } from '../../../../src/core/tool/display';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { probe } from './probe';
import { callOf, withTurn } from './turn';

const repeated = (maxTimes: number) =>
  fc
    .tuple(fc.constantFrom('a', '\u0000', '"', '漢', '😀', '\ud83d', 'line\n'), fc.nat(maxTimes))
    .map(([unit, times]) => unit.repeat(times));
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), repeated(20_000));
const short = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), repeated(300));
const count = fc.nat(10);
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
/** The same item again and again, which is quickly made. */
const many = <T>(item: fc.Arbitrary<T>) =>
  fc.oneof(
    few(item),
    fc.tuple(item, fc.nat(400)).map(([one, length]) => Array<T>(length).fill(one)),
  );
const options = few(fc.record({ label: short, description: text }));
const hunk = fc.record({
  oldStart: count,
  newStart: count,
  lines: many(fc.record({ sign: fc.constantFrom(' ', '+', '-'), text: short })),
});
const file = fc.record({
  path: short,
  change: fc.constant('edited'),
  added: count,
  removed: count,
  hunks: fc.oneof(
    few(hunk),
    few(fc.record({ oldStart: count, newStart: count, lines: few(fc.record({ sign: fc.constant('+'), text })) })),
  ),
});
const group = fc.record({ path: short, count, lines: many(fc.record({ line: count, text: short })) });
const display = fc.oneof(
  fc.record({ kind: fc.constant('text'), text }),
  fc.record({ kind: fc.constant('text'), text, moreChars: count, tail: text }),
  fc.record({ kind: fc.constant('text'), text, moreChars: count }),
  fc.record({ kind: fc.constant('file'), path: text, startLine: count, endLine: count, totalLines: count }),
  fc.record({ kind: fc.constant('files'), paths: many(text), more: count }),
  fc.record({
    kind: fc.constant('matches'),
    groups: fc.oneof(few(group), many(group.map((one) => ({ ...one, lines: one.lines.slice(0, 2) })))),
    total: count,
    more: count,
  }),
  fc.record({
    kind: fc.constant('diff'),
    files: fc.oneof(few(file), many(file.map((one) => ({ ...one, hunks: [] })))),
  }),
  fc.record({ kind: fc.constant('shell'), command: text, cwd: text, tail: text, moreChars: count }),
  fc.record({
    kind: fc.constant('todos'),
    todos: many(fc.record({ id: short, content: text, status: fc.constant('pending') })),
  }),
  fc.record({
    kind: fc.constant('questions'),
    questions: few(fc.record({ question: text, header: text, options, multiple: fc.boolean() })),
    answers: many(fc.record({ question: short, chosen: few(text), text })),
  }),
) as fc.Arbitrary<Display>;

/** Everything shown or counted as left out. */
function counted(display: Display): number {
  switch (display.kind) {
    case 'text':
      return display.text.length + (display.moreChars ?? 0) + (display.tail?.length ?? 0);
    case 'files':
      return display.paths.length + display.more;
    case 'matches':
      return display.groups.flatMap(({ lines }) => lines).length + display.more;
    case 'diff':
      return display.files.length + (display.moreFiles ?? 0);
    case 'shell':
      return display.tail.length + display.moreChars;
    default:
      return 0;
  }
}

function check(name: string, whole: Display, expected: Display): void {
  it(name, () => assert.deepEqual(fitDisplay(whole), expected));
}

describe('G8 B06 O13 fitDisplay', () => {
  it('stays within the bound, counts what is gone, and leaves alone what fits', () => {
    fc.assert(
      fc.property(display, (whole) => {
        const fitted = fitDisplay(whole);
        const size = JSON.stringify(whole).length;
        assert.ok(JSON.stringify(fitted).length <= DISPLAY_MAX_CHARS, `${JSON.stringify(fitted).length} characters`);
        if (size <= DISPLAY_MAX_CHARS) assert.equal(fitted, whole);
        assert.equal(fitted.kind, whole.kind);
        assert.equal(counted(fitted), counted(whole));
      }),
      { numRuns: 150 },
    );
  });

  const BODY = DISPLAY_MAX_CHARS - 512;
  check(
    'a text keeps both ends',
    { kind: 'text', text: `begin${'x'.repeat(20_000)}end` },
    { kind: 'text', text: `begin${'x'.repeat(9_518)}`, moreChars: 4_138, tail: `${'x'.repeat(6_344)}end` },
  );
  check(
    'and so does one that was cut before',
    { kind: 'text', text: 'x'.repeat(20_000), moreChars: 5, tail: `${'y'.repeat(20_000)}end` },
    { kind: 'text', text: 'x'.repeat(9_523), moreChars: 24_138, tail: `${'y'.repeat(6_344)}end` },
  );
  check(
    'one whose end is not known keeps its head',
    { kind: 'text', text: 'x'.repeat(20_000), moreChars: 1 },
    { kind: 'text', text: 'x'.repeat(BODY), moreChars: 20_001 - BODY },
  );
  check(
    'a shell keeps its tail',
    { kind: 'shell', command: 'c', cwd: '/', tail: `${'x'.repeat(20_000)}end`, moreChars: 5 },
    { kind: 'shell', command: 'c', cwd: '/', tail: `${'x'.repeat(BODY - 9)}end`, moreChars: 5 + 20_003 - (BODY - 6) },
  );
  check(
    'a command that is not shown whole says so',
    { kind: 'shell', command: 'x'.repeat(20_000), cwd: '/', tail: '', moreChars: 0 },
    {
      kind: 'shell',
      command: `${'x'.repeat(8_000)}\n… (12000 more characters are not shown)`,
      cwd: '/',
      tail: '',
      moreChars: 0,
    },
  );
  check(
    'parts are measured as they cross, where half a character takes six',
    { kind: 'shell', command: 'x'.repeat(20_000), cwd: '\ud83d'.repeat(2_000), tail: 'end', moreChars: 0 },
    {
      kind: 'shell',
      command: `${'x'.repeat(8_000)}\n… (12000 more characters are not shown)`,
      cwd: `${'\ud83d'.repeat(332)}…`,
      tail: 'end',
      moreChars: 0,
    },
  );
  const line = { sign: '+', text: 'x'.repeat(65) } as const;
  const hunkOf = (length: number) => ({ oldStart: 1, newStart: 1, lines: Array(length).fill(line) as (typeof line)[] });
  const created = { path: 'a', change: 'created', added: 1, removed: 0 } as const;
  check(
    'a hunk that is too long keeps its first lines and counts as left out',
    { kind: 'diff', files: [{ ...created, hunks: [hunkOf(2), hunkOf(500), hunkOf(1)] }] },
    { kind: 'diff', files: [{ ...created, hunks: [hunkOf(2), hunkOf(176)], moreHunks: 2 }] },
  );
});

describe('G8 B06 the display of a long result', () => {
  const whole = `begin\n${'漢字\n'.repeat(50_000)}end`;
  for (const shape of ['tail', 'head', 'window'] as const) {
    it(`${shape}: both ends and the length between; the rest comes by range`, () =>
      withTurn([probe(async () => ({ text: whole }), { shape })], {}, async ({ turn }) => {
        const { display, call } = await runToolCall(callOf('probe'), turn);
        assert.ok(display?.kind === 'text' && display.tail !== undefined);
        assert.ok(whole.startsWith(display.text) && whole.endsWith(display.tail));
        assert.equal(display.text.length + (display.moreChars ?? 0) + display.tail.length, whole.length);
        assert.ok(display.text.length > 6_000 && display.tail.length > 4_000);
        const from = Buffer.byteLength(display.text);
        const { text } = await turn.outputs.read(call, from);
        assert.equal(
          text,
          Buffer.from(whole)
            .subarray(from, from + 16 * 1024)
            .toString()
            .replace(/\ufffd$/, ''),
        );
      }));
  }
});

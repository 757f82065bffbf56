// Which problems count as new after an edit.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newProblems, type EditedText } from '../../../../src/core/edit/newProblems';
import type { Problem } from '../../../../src/core/problems';

const at = (line: number, message = 'wrong', more: Partial<Problem> = {}): Problem => ({
  ...{ path: '/a', line, severity: 'error', message },
  ...more,
});

interface Case {
  readonly it: string;
  readonly before: readonly Problem[];
  readonly after: readonly Problem[];
  readonly edited?: Omit<EditedText, 'path'>;
  readonly expect: readonly Problem[];
}

const FIVE = 'a\nb\nc\nd\ne\n';

const CASES: readonly Case[] = [
  { it: 'one that was not there', before: [], after: [at(1)], expect: [at(1)] },
  { it: 'not one that is where it was', before: [at(1)], after: [at(1)], expect: [] },
  { it: 'not one that is gone', before: [at(1)], after: [], expect: [] },
  {
    it: 'not one that lines above have moved',
    before: [at(3)],
    after: [at(5)],
    edited: { before: FIVE, after: `new\nnew\n${FIVE}` },
    expect: [],
  },
  {
    it: 'one with the same words on a line that came in',
    before: [at(3)],
    after: [at(0), at(4)],
    edited: { before: FIVE, after: `new\n${FIVE}` },
    expect: [at(0)],
  },
  {
    it: 'not one on a line that was rewritten, wherever in it',
    before: [at(1)],
    after: [at(2)],
    edited: { before: FIVE, after: 'a\nB\nB2\nc\nd\ne\n' },
    expect: [],
  },
  {
    it: 'the second of its kind there',
    before: [at(1)],
    after: [at(1), at(2)],
    edited: { before: FIVE, after: 'a\nB\nB2\nc\nd\ne\n' },
    expect: [at(2)],
  },
  {
    it: 'not one after lines that were taken out',
    before: [at(4)],
    after: [at(2)],
    edited: { before: FIVE, after: 'c\nd\ne\n' },
    expect: [],
  },
  {
    it: 'what differs in code, source or severity',
    before: [at(1, 'm', { code: '1', source: 'ts' })],
    after: [at(1, 'm', { code: '2', source: 'ts' }), at(1, 'm', { code: '1' }), at(1, 'm', { severity: 'warning' })],
    expect: [at(1, 'm', { code: '2', source: 'ts' }), at(1, 'm', { code: '1' }), at(1, 'm', { severity: 'warning' })],
  },
  {
    it: 'errors before warnings, then by file and line',
    before: [],
    after: [at(9, 'w', { severity: 'warning' }), at(2, 'e', { path: '/b' }), at(7), at(1)],
    expect: [at(1), at(7), at(2, 'e', { path: '/b' }), at(9, 'w', { severity: 'warning' })],
  },
  {
    it: 'in another file than the edited one',
    before: [],
    after: [at(1, 'm', { path: '/b' })],
    expect: [at(1, 'm', { path: '/b' })],
  },
];

function check({ before, after, edited, expect }: Case): void {
  assert.deepEqual(newProblems(before, after, edited ? [{ path: '/a', ...edited }] : []), expect);
}

describe('O29: new problems are', () => {
  for (const one of CASES) it(one.it, () => check(one));

  it('none where every problem moved with its line', () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, fc.nat(), fc.array(fc.nat(29), { maxLength: 8 }), (text, added, place, marked) => {
        const start = place % (text.length + 1);
        // Different from all others, so that it is clear which lines came in.
        const inserted = added.map((line) => `+${line}`);
        const numbered = text.map((line, number) => `${line} ${number}`);
        const before = marked.filter((line) => line < text.length).map((line) => at(line));
        const after = before.map((problem) => at(problem.line < start ? problem.line : problem.line + added.length));
        const edited = {
          path: '/a',
          before: numbered.join('\n'),
          after: [...numbered.slice(0, start), ...inserted, ...numbered.slice(start)].join('\n'),
        };
        assert.deepEqual(newProblems(before, after, [edited]), []);
      }),
    );
  });
});

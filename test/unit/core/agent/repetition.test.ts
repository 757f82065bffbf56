// Going in circles: what counts as the same again, what counts as progress, and when the model is told and the turn stops.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Display } from '../../../../src/common/display';
import type { Json } from '../../../../src/common/json';
import { judge, remember, seenOf, WINDOW_CALLS, type Seen } from '../../../../src/core/agent/repetition';
import { diffTexts } from '../../../../src/core/edit/patch';
import type { ToolResult } from '../../../../src/core/tool/turnTools';

interface Step {
  readonly tool?: string;
  readonly input?: Json;
  readonly text?: string;
  readonly more?: Partial<ToolResult>;
  readonly changes?: boolean;
  /** In the same message as the step before. */
  readonly beside?: boolean;
}

/** What is said after each step: `-`, or the verdict's first letter and the count, with a path where it is a file. */
function verdicts(steps: readonly Step[]): string {
  let window: readonly Seen[] = [];
  let message = 0;
  return steps
    .map(({ tool = 'look', input = {}, text = 'same', more = {}, changes = false, beside = false }, at) => {
      if (!beside) message++;
      const result = {
        call: `c${at}`,
        status: 'done',
        text,
        images: [],
        context: [],
        wholeChars: 4,
        durationMs: at,
        ...more,
      } as const;
      window = remember(window, seenOf({ tool, input, changes }, result, message));
      assert.ok(window.length <= WINDOW_CALLS || (window[0]?.message ?? 0) > message - 5);
      assert.ok(window.length <= 500);
      const found = judge(window);
      return found === undefined ? '-' : `${found.verdict[0]}${found.count}${found.path ?? ''}`;
    })
    .join(' ');
}

function check(name: string, steps: readonly Step[], expected: string): void {
  it(name, () => assert.equal(verdicts(steps), expected));
}

const times = (count: number, ...steps: readonly Step[]): Step[] => Array.from({ length: count }, () => steps).flat();
const look: Step = {};
const edit = (from: string, to: string, path = 'a.ts'): Step => {
  const display: Display = { kind: 'diff', files: [diffTexts(from, to, { path, change: 'edited' })] };
  return { tool: 'edit', input: { path, from, to }, text: `Edited ${path}`, more: { display }, changes: true };
};
const there = edit('one\ntwo\n', 'one\nTWO\n');
const back = edit('one\nTWO\n', 'one\ntwo\n');

describe('repetition: the same call with the same result', () => {
  check('is told at the 3rd and stopped at the 5th', times(6, look), '- - t3 - s5 s6');
  check(
    'whatever order the fields come in',
    [
      { input: { a: 1, b: { c: 2, d: 3 } } },
      { input: { b: { d: 3, c: 2 }, a: 1 } },
      { input: { a: 1, b: { c: 2, d: 3 } } },
    ],
    '- - t3',
  );
  check('is another one with another input', [look, look, { input: { n: 1 } }, { input: { n: 2 } }], '- - - -');
  check('is another one of another tool', [look, look, { tool: 'list' }], '- - -');
  check('counts among others too', times(5, look, { tool: 'list', text: 'l' }), '- - - - t3 t3 - - s5 s5');
  const round = Array.from({ length: 10 }, (_, n): Step => ({ input: { n }, beside: n > 0 }));
  const all = (verdict: string): string => Array(10).fill(verdict).join(' ');
  check(
    'counts among nine others in each message',
    times(5, ...round),
    [all('-'), all('-'), all('t3'), all('-'), all('s5')].join(' '),
  );
  check(
    'is remembered to a bound in a message of many calls',
    times(600, { beside: true }),
    Array.from({ length: 600 }, (_, at) => (at < 2 ? '-' : `t${Math.min(at + 1, 500)}`)).join(' '),
  );
  check('counts when it fails', times(5, { more: { status: 'failed' }, text: 'no' }), '- - t3 - s5');
  check('counts when it is denied', times(5, { more: { status: 'denied' }, text: 'no' }), '- - t3 - s5');
  check(
    'is the same when only the id of its call differs',
    [0, 1, 2].map((at) => ({ text: `cut, see "c${at}"` })),
    '- - t3',
  );
  check(
    'counts when the result only points to the one before',
    [look, ...times(2, { text: 'see above', more: { repeats: true, wholeChars: 9 } }), { text: 'new' }],
    '- - t3 -',
  );
  check(
    'is progress when the text differs',
    [1, 2, 3, 4, 5, 6].map((n) => ({ text: `${n} %` })),
    '- - - - - -',
  );
  check(
    'is progress when only what was left out differs',
    [1, 2, 3, 4, 5].map((n) => ({ more: { wholeChars: n } })),
    '- - - - -',
  );
  check(
    'is progress when the picture differs',
    [1, 2, 3, 4].map((n) => ({ more: { images: [{ type: 'image', mediaType: 'image/png', data: `${n}` }] } })),
    '- - - -',
  );
  check(
    'beside each other count once each, and nobody is stopped who was not told',
    [look, ...times(5, { beside: true }), look],
    '- - t3 t4 t5 t6 s7',
  );
  check(
    'is worth repeating after each new change',
    [1, 2, 3, 4, 5, 6].flatMap((n) => [edit(`${n}`, `${n + 1}`, `${n}.ts`), { tool: 'build', changes: true }]),
    Array(12).fill('-').join(' '),
  );
  check(
    'is not when the change is the same each time',
    times(3, { tool: 'touch', changes: true }, look),
    '- - - - t3 t3',
  );
  check(
    'is not when it fails all the same',
    [1, 2, 3, 4, 5].flatMap((n) => [
      edit(`${n}`, `${n + 1}`, `${n}.ts`),
      { tool: 'build', more: { status: 'failed' as const } },
    ]),
    '- - - - - t3 - - - s5',
  );
  check(
    'is forgotten after as many others as are remembered',
    [look, look, ...Array.from({ length: WINDOW_CALLS - 1 }, (_, n) => ({ input: { n } })), look],
    Array(WINDOW_CALLS + 2)
      .fill('-')
      .join(' '),
  );
});

describe('repetition: a file that goes back and forth', () => {
  check(
    'is told at the 2nd return and stopped at the 4th',
    [there, back, there, back, there, back],
    '- - t2a.ts - s4a.ts s5a.ts',
  );
  check(
    'with other calls between',
    times(3, there, { text: '1' }, back, { text: '2', input: 1 }),
    '- - - - t2a.ts - - - s4a.ts - s5a.ts t3',
  );
  check(
    'is seen in two files each for itself',
    [there, edit('x', 'y', 'b.ts'), back, edit('y', 'x', 'b.ts'), there],
    '- - - - t2a.ts',
  );
  check(
    'made anew and deleted',
    times(2, { ...edit('', 'one\n'), input: 'make' }, { ...edit('one\n', ''), input: 'delete' }),
    '- - t2a.ts -',
  );
  check(
    'is not one that grows',
    [edit('a', 'b'), edit('b', 'c'), edit('c', 'd'), edit('d', 'a'), edit('a', 'b')],
    '- - - - -',
  );
  check(
    'is not the same change in several files',
    [1, 2, 3, 4].flatMap((n) => [edit('a', 'b', `${n}`), edit('x', 'y', `${n}`)]),
    '- - - - - - - -',
  );
  check(
    'is the call that fails where the edits do',
    times(
      3,
      ...[there, back].map((step) => ({
        ...step,
        text: JSON.stringify(step.input),
        more: { ...step.more, status: 'failed' as const },
      })),
    ),
    '- - - - t3 t3',
  );
});

describe('repetition: any sequence of calls', () => {
  const anyStep = fc.record({
    tool: fc.constantFrom('a', 'b', 'c'),
    text: fc.constantFrom('x', 'y'),
    changes: fc.boolean(),
    beside: fc.boolean(),
    more: fc.constantFrom({}, { status: 'failed' as const }),
  });

  it('stops nobody who was not told before, and says the same of the same', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const said = verdicts(steps).split(' ');
        const firstStop = said.findIndex((each) => each.startsWith('s'));
        const firstTold = said.findIndex((each) => each.startsWith('t'));
        if (firstStop !== -1) assert.ok(firstTold !== -1 && firstTold < firstStop);
        assert.equal(verdicts(steps), said.join(' '));
      }),
    );
  });

  it('is left in peace as long as each result is new', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const said = verdicts(steps.map((step, at) => ({ ...step, text: `${at}` })));
        assert.ok(!/[ts]\d/.test(said));
      }),
    );
  });

  it('that ends in five of the same is stopped or was told', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        assert.match(verdicts([...steps, ...times(5, { tool: 'a', text: 'z' })]), / s5$/);
      }),
    );
  });
});

// Review: each row is a story of what the agent and the person did to one file, and what is left to keep or undo.
import assert from 'node:assert/strict';
import { applySplices } from '../../../../src/core/edit/lines';
import { createReviews, type ReviewModel } from '../../../../src/core/review/reviews';
import { originOf } from '../../../support/reviewTest';

const PATH = '/w/a.ts';

/** Letters as lines: `abc` is three lines; a space is an empty one. */
const lines = (letters: string) => [...letters].map((letter) => `${letter.trim()}\n`).join('');

type Step =
  | { readonly agent: string; readonly call?: string; readonly session?: string }
  | { readonly person: string }
  | { readonly restored: string }
  | { readonly keep: readonly number[] }
  | { readonly undo: readonly number[] };

interface Outcome {
  readonly base: string;
  /** `2-3 < 2-2`: lines [2, 3) now, [2, 2) in the baseline; then the calls. */
  readonly hunks: readonly string[];
  readonly now?: string;
}

function check(what: string, start: string, steps: readonly Step[], expected: Outcome | undefined): void {
  it(what, () => {
    const { reviews, text } = play(start, steps, lines);
    const base = reviews.baseline(PATH);
    if (!expected) return assert.deepEqual([base, reviews.files()], [undefined, []]);
    const hunks = reviews
      .hunks(PATH)
      .map(
        ({ start, end, baseStart, baseEnd, origins }) =>
          `${start}-${end} < ${baseStart}-${baseEnd} ${origins.map(({ call }) => call).join(' ')}`,
      );
    assert.deepEqual({ base, hunks }, { base: lines(expected.base), hunks: expected.hunks });
    if (expected.now !== undefined) assert.equal(text, lines(expected.now));
  });
}

function play(start: string, steps: readonly Step[], toText: (letters: string) => string) {
  const reviews = createReviews();
  let text = toText(start);
  for (const step of steps) text = take(reviews, text, step, toText);
  return { reviews, text };
}

function take(reviews: ReviewModel, text: string, step: Step, toText: (letters: string) => string): string {
  const idsOf = (indexes: readonly number[]) => indexes.map((index) => reviews.hunks(PATH)[index]?.id ?? 'none');
  if ('agent' in step) {
    const after = toText(step.agent);
    const origin = originOf(step.call ?? 'c1', step.session);
    reviews.agentChanged({ path: PATH, before: text, after, origin });
    return after;
  }
  if ('person' in step) {
    reviews.personChanged(PATH, toText(step.person));
    return toText(step.person);
  }
  if ('restored' in step) {
    reviews.restored(PATH, toText(step.restored));
    return toText(step.restored);
  }
  if ('keep' in step) {
    reviews.keep(PATH, idsOf(step.keep));
    return text;
  }
  const plan = reviews.planUndo(PATH, idsOf(step.undo))?.plan;
  assert.equal(plan?.kind, 'edit');
  const after = applySplices(text, plan.splices);
  reviews.restored(PATH, after);
  return after;
}

describe('#42 hunks of the agent', () => {
  check('a changed line', 'abcde', [{ agent: 'abXde' }], { base: 'abcde', hunks: ['2-3 < 2-3 c1'] });
  check('added lines', 'abcde', [{ agent: 'abXYcde' }], { base: 'abcde', hunks: ['2-4 < 2-2 c1'] });
  check('removed lines', 'abcde', [{ agent: 'abe' }], { base: 'abcde', hunks: ['2-2 < 2-4 c1'] });
  check('all of them', 'ab', [{ agent: '' }], { base: 'ab', hunks: ['0-0 < 0-2 c1'] });
  check('a second call further down', 'abcde', [{ agent: 'Xbcde' }, { agent: 'XbcdY', call: 'c2' }], {
    base: 'abcde',
    hunks: ['0-1 < 0-1 c1', '4-5 < 4-5 c2'],
  });
  check('a second call beside the first', 'abcde', [{ agent: 'aXcde' }, { agent: 'aXYde', call: 'c2' }], {
    base: 'abcde',
    hunks: ['1-3 < 1-3 c1 c2'],
  });
  check('a second call between', 'abcdefg', [{ agent: 'aXcdeYg' }, { agent: 'aXcZeYg', call: 'c2' }], {
    base: 'abcdefg',
    hunks: ['1-2 < 1-2 c1', '3-4 < 3-4 c2', '5-6 < 5-6 c1'],
  });
  check('what stands between two is removed', 'abcde', [{ agent: 'aXcYe' }, { agent: 'aXYe', call: 'c2' }], {
    base: 'abcde',
    hunks: ['1-3 < 1-4 c1 c2'],
  });
  check('the agent takes its own change back', 'abc', [{ agent: 'aXc' }, { agent: 'abc', call: 'c2' }], undefined);
  check('a part of it', 'abcd', [{ agent: 'aXYd' }, { agent: 'abYd', call: 'c2' }], {
    base: 'abcd',
    hunks: ['2-3 < 2-3 c1 c2'],
  });
});

describe('#41 what the person types beside the agent’s hunks is never theirs', () => {
  const agent = { agent: 'abXYef' };
  check('above', 'abcdef', [agent, { person: 'aPbXYef' }], { base: 'aPbcdef', hunks: ['3-5 < 3-5 c1'] });
  check('below', 'abcdef', [agent, { person: 'abXYePf' }], { base: 'abcdePf', hunks: ['2-4 < 2-4 c1'] });
  check('right above', 'abcdef', [agent, { person: 'abPXYef' }], { base: 'abPcdef', hunks: ['3-5 < 3-5 c1'] });
  check('right below', 'abcdef', [agent, { person: 'abXYPef' }], { base: 'abcdPef', hunks: ['2-4 < 2-4 c1'] });
  check('the next line', 'abcdef', [agent, { person: 'abXYPf' }], { base: 'abcdPf', hunks: ['2-4 < 2-4 c1'] });
  check('the lines around', 'abcdef', [agent, { person: 'XYef' }], { base: 'cdef', hunks: ['0-2 < 0-2 c1'] });
  check('both sides and nothing inside', 'abcdef', [agent, { person: 'aPXYPf' }], {
    base: 'aPcdPf',
    hunks: ['2-4 < 2-4 c1'],
  });
  check('all lines changed one by one', 'abcdef', [agent, { person: 'ABPQEF' }], {
    base: 'ABcdEF',
    hunks: ['2-4 < 2-4 c1'],
  });
  check('an empty line where the agent removed', 'abcdef', [{ agent: 'abef' }, { person: 'ab ef' }], {
    base: 'abcd ef',
    hunks: ['2-2 < 2-4 c1'],
  });
  check('lines between two hunks are removed', 'abcde', [{ agent: 'aXcYe' }, { person: 'aXYe' }], {
    base: 'abde',
    hunks: ['1-3 < 1-3 c1'],
  });
  check('the text from another branch', 'abcdefgh', [{ agent: 'abXYefgh' }, { person: 'PbXYQfgR' }], {
    base: 'PbcdQfgR',
    hunks: ['2-4 < 2-4 c1'],
  });
  check('a block like the agent’s, below it', 'a}', [{ agent: 'afg}}' }, { person: 'afg}fg}}' }], {
    base: 'afg}}',
    hunks: ['1-4 < 1-1 c1'],
  });
});

describe('#41 where equal lines leave open what was changed', () => {
  check('a block above that begins like the agent’s', 'a}z', [{ agent: 'a}fg}z' }, { person: 'a}fh}fg}z' }], {
    base: 'a}fh}z',
    hunks: ['5-8 < 5-5 c1'],
  });
  check('one of two equal lines is removed', 'abc', [{ agent: 'aXbbc' }, { person: 'aXbc' }], {
    base: 'abc',
    hunks: ['1-2 < 1-1 c1'],
  });
  check(
    'a hunk is taken back in part, with more of the person’s before it',
    'abcdefgh',
    [{ agent: 'abcdXYgh' }, { person: 'aPQeYgh' }],
    { base: 'aPQefgh', hunks: ['4-5 < 4-5 c1'] },
  );
});

describe('#42 what the person does inside a hunk stays in it', () => {
  const agent = { agent: 'abXYef' };
  check('a line', 'abcdef', [agent, { person: 'abXPef' }], { base: 'abcdef', hunks: ['2-4 < 2-4 c1'] });
  check('a new one', 'abcdef', [agent, { person: 'abXPYef' }], { base: 'abcdef', hunks: ['2-5 < 2-4 c1'] });
  check('as it was', 'abcdef', [agent, { person: 'abcdef' }], undefined);
  check('half as it was', 'abcdef', [agent, { person: 'abXdef' }], { base: 'abcdef', hunks: ['2-3 < 2-3 c1'] });
  check('what was removed comes back', 'abcdef', [{ agent: 'abef' }, { person: 'abcdef' }], undefined);
  check('most of it comes back', 'abcdefgh', [{ agent: 'abgh' }, { person: 'abcdfgh' }], {
    base: 'abcdefgh',
    hunks: ['4-4 < 4-5 c1'],
  });
  check('what was added goes', 'abcd', [{ agent: 'abXcd' }, { person: 'abcd' }], undefined);
  check('one of two equal lines goes', 'abcd', [{ agent: 'abbcd' }, { person: 'abcd' }], undefined);
  check('across its border, as many lines', 'abcdef', [agent, { person: 'aPQYef' }], {
    base: 'aPcdef',
    hunks: ['2-4 < 2-4 c1'],
  });
  check('across its border, other lines', 'abcdef', [agent, { person: 'aPYef' }], {
    base: 'abcdef',
    hunks: ['1-3 < 1-4 c1'],
  });
  check('removed across its border', 'abcdef', [agent, { person: 'aYef' }], { base: 'acdef', hunks: ['1-2 < 1-3 c1'] });
});

describe('#42 keep and undo', () => {
  const agent = { agent: 'XbcYeZ' };
  check('keep one', 'abcdef', [agent, { keep: [1] }], { base: 'abcYef', hunks: ['0-1 < 0-1 c1', '5-6 < 5-6 c1'] });
  check('keep all of them', 'abcdef', [agent, { keep: [0, 1, 2] }], undefined);
  check('undo one', 'abcdef', [agent, { undo: [1] }], {
    base: 'abcdef',
    hunks: ['0-1 < 0-1 c1', '5-6 < 5-6 c1'],
    now: 'XbcdeZ',
  });
  check('undo and keep', 'abcdef', [agent, { undo: [0] }, { keep: [0] }], {
    base: 'abcYef',
    hunks: ['5-6 < 5-6 c1'],
    now: 'abcYeZ',
  });
  check(
    'undo leaves what the person added',
    'abcdef',
    [agent, { person: 'PXQbcYeZR' }, { undo: [0, 1, 2] }],
    undefined,
  );
  check('an undone hunk comes back with the editor’s undo', 'abcdef', [agent, { undo: [1] }, { person: 'XbcYeZ' }], {
    base: 'abcdef',
    hunks: ['0-1 < 0-1 c1', '3-4 < 3-4 c1', '5-6 < 5-6 c1'],
  });
  check('the editor’s undo and redo of a call', 'abc', [{ agent: 'aXc' }, { person: 'abc' }, { person: 'aXc' }], {
    base: 'abc',
    hunks: ['1-2 < 1-2 c1'],
  });
  check('after an undo the person goes on', 'abc', [{ agent: 'aXc' }, { undo: [0] }, { person: 'aPc' }], undefined);
  check('a restore and its own undo', 'abc', [{ agent: 'aXc' }, { restored: 'abc' }, { restored: 'aXc' }], {
    base: 'abc',
    hunks: ['1-2 < 1-2 c1'],
  });
});

describe('#42 line endings', () => {
  const exact = (what: string, start: string, agent: string, person: string, base: string, hunks: number) =>
    it(what, () => {
      const { reviews } = play(start, [{ agent }, { person }], (text) => text);
      assert.deepEqual([reviews.baseline(PATH), reviews.hunks(PATH).length], [base, hunks]);
    });
  exact('a person converts the file', 'a\nb\nc\n', 'a\nX\nc\n', 'a\r\nX\r\nc\r\n', 'a\r\nb\r\nc\r\n', 1);
  exact('and edits it', 'a\r\nb\r\nc\r\n', 'a\r\nX\r\nc\r\n', 'a\nX\nP\n', 'a\nb\nP\n', 1);
  exact('a line goes on after a last line without a break', 'a\nb', 'X\nb', 'X\nb\nP', 'a\nb\nP', 1);
  exact('the agent removed a last line without a break', 'a\nb', 'a\n', 'a\nP\n', 'a\nb', 1);
});

// Review: files that are made, deleted and moved, by the agent and by the person; several sessions; who wrote a line.
import assert from 'node:assert/strict';
import { createReviews, type ReviewModel } from '../../../../src/core/review/reviews';
import { originOf } from '../../../support/reviewTest';

type Act = (reviews: ReviewModel) => void;

const [A, B, C] = ['/w/a', '/w/b', '/w/c'];

/** `to`: moved there. */
function agent(path: string, before: string | undefined, after: string | undefined, call = 'c1', to?: string): Act {
  return (reviews) =>
    reviews.agentChanged({ path, before, after, origin: originOf(call), ...(to === undefined ? {} : { movedTo: to }) });
}
const move = (path: string, to: string, text: string, call = 'c1') => agent(path, text, text, call, to);
const person =
  (path: string, after: string | undefined): Act =>
  (reviews) =>
    reviews.personChanged(path, after);
const personMove =
  (path: string, to: string): Act =>
  (reviews) =>
    reviews.personMoved(path, to);
const restored =
  (path: string, after: string | undefined): Act =>
  (reviews) =>
    reviews.restored(path, after);

function without<T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> {
  const { [key]: _left, ...rest } = whole;
  return rest;
}

/** What undoing each file would do. */
function check(what: string, acts: readonly Act[], expected: readonly object[]): void {
  it(what, () => {
    const reviews = createReviews();
    for (const act of acts) act(reviews);
    const plans = reviews.files().map(({ path, change }) => ({ change, ...reviews.planUndo(path)?.plan }));
    // What the text is before an undo is held up by the properties.
    assert.deepEqual(
      plans.map((plan) => ('before' in plan ? without(plan, 'before') : plan)),
      expected,
    );
  });
}

const line2 = (text: string) => [{ start: 2, end: 3, text }];

describe('#41 files under review', () => {
  check('made', [agent(A, undefined, 'x\n')], [{ change: 'created', kind: 'remove', path: A }]);
  check('made empty', [agent(A, undefined, '')], [{ change: 'created', kind: 'remove', path: A }]);
  check('made and deleted', [agent(A, undefined, 'x\n'), agent(A, 'x\n', undefined)], []);
  check(
    'made and edited',
    [agent(A, undefined, 'x\n'), agent(A, 'x\n', 'y\n', 'c2')],
    [{ change: 'created', kind: 'remove', path: A }],
  );
  check(
    'made, and the person adds to its end: that stays',
    [agent(A, undefined, 'x\n'), person(A, 'x\np\n')],
    [{ change: 'created', kind: 'edit', path: A, splices: [{ start: 0, end: 2, text: '' }] }],
  );
  check('made, and deleted by the person', [agent(A, undefined, 'x\n'), person(A, undefined)], []);
  check(
    'that taken back',
    [agent(A, undefined, 'x\n'), person(A, undefined), person(A, 'x\n')],
    [{ change: 'created', kind: 'remove', path: A }],
  );
  check('deleted', [agent(A, 'x\ny\n', undefined)], [{ change: 'deleted', kind: 'recreate', path: A, text: 'x\ny\n' }]);
  check(
    'deleted and made again',
    [agent(A, 'x\ny\n', undefined), agent(A, undefined, 'x\nz\n', 'c2')],
    [{ change: 'edited', kind: 'edit', path: A, splices: line2('y') }],
  );
  check('deleted and made again as it was', [agent(A, 'x\n', undefined), agent(A, undefined, 'x\n')], []);
  check('deleted, and brought back by the person', [agent(A, 'x\n', undefined), person(A, 'x\n')], []);
  check('deleted, and written anew by the person', [agent(A, 'x\n', undefined), person(A, 'p\n')], []);
  check(
    'deleted after an edit',
    [agent(A, 'x\n', 'y\n'), agent(A, 'y\n', undefined, 'c2')],
    [{ change: 'deleted', kind: 'recreate', path: A, text: 'x\n' }],
  );
  check('edited, and deleted by the person', [agent(A, 'x\n', 'y\n'), person(A, undefined)], []);
  check(
    'the agent finds what the person changed unseen',
    [agent(A, 'x\ny\n', 'x\nz\n'), agent(A, 'p\nz\n', 'p\nw\n')],
    [{ change: 'edited', kind: 'edit', path: A, splices: line2('y') }],
  );
});

describe('#41 moves', () => {
  check('moved', [move(A, B, 'x\n')], [{ change: 'moved', kind: 'move', path: B, to: A, splices: [] }]);
  check(
    'on and on',
    [move(A, B, 'x\n'), move(B, C, 'x\n')],
    [{ change: 'moved', kind: 'move', path: C, to: A, splices: [] }],
  );
  check('and back', [move(A, B, 'x\n'), move(B, A, 'x\n')], []);
  check(
    'then edited',
    [move(A, B, 'x\ny\n'), agent(B, 'x\ny\n', 'x\nz\n')],
    [{ change: 'moved', kind: 'move', path: B, to: A, splices: line2('y') }],
  );
  check(
    'edited, then moved',
    [agent(A, 'x\ny\n', 'x\nz\n'), move(A, B, 'x\nz\n')],
    [{ change: 'moved', kind: 'move', path: B, to: A, splices: line2('y') }],
  );
  check(
    'made, then moved',
    [agent(A, undefined, 'x\n'), move(A, B, 'x\n')],
    [{ change: 'created', kind: 'remove', path: B }],
  );
  check(
    'moved, then deleted',
    [move(A, B, 'x\n'), agent(B, 'x\n', undefined)],
    [{ change: 'deleted', kind: 'recreate', path: A, text: 'x\n' }],
  );
  check(
    'to where another was deleted',
    [agent(B, 'old\n', undefined), move(A, B, 'x\n')],
    [
      { change: 'deleted', kind: 'recreate', path: A, text: 'x\n' },
      { change: 'edited', kind: 'edit', path: B, splices: [{ start: 0, end: 1, text: 'old' }] },
    ],
  );
  check(
    'and another one made in its place',
    [move(A, B, 'x\n'), agent(A, undefined, 'y\n', 'c2')],
    [
      { change: 'edited', kind: 'edit', path: A, splices: [{ start: 0, end: 1, text: 'x' }] },
      { change: 'created', kind: 'remove', path: B },
    ],
  );
  check(
    'an edited file, by the person',
    [agent(A, 'x\ny\n', 'x\nz\n'), personMove(A, B)],
    [{ change: 'edited', kind: 'edit', path: B, splices: line2('y') }],
  );
  check('a moved file, further by the person', [move(A, B, 'x\n'), personMove(B, C)], []);
  check('over an edited file, by the person', [agent(B, 'x\n', 'y\n'), personMove(A, B)], []);
});

describe('#42 what a restore puts there', () => {
  check(
    'a made file goes and comes back',
    [agent(A, undefined, 'x\n'), restored(A, undefined), restored(A, 'x\n')],
    [{ change: 'created', kind: 'remove', path: A }],
  );
  check(
    'a deleted file comes back and goes',
    [agent(A, 'x\n', undefined), restored(A, 'x\n'), restored(A, undefined)],
    [{ change: 'deleted', kind: 'recreate', path: A, text: 'x\n' }],
  );
  check('a moved file goes back', [move(A, B, 'x\n'), restored(B, undefined), restored(A, 'x\n')], []);
  check('told in the other order', [move(A, B, 'x\n'), restored(A, 'x\n'), restored(B, undefined)], []);
  check(
    'only to an earlier state of the agent’s',
    [agent(A, 'x\ny\n', 'x\nz\n'), agent(A, 'x\nz\n', 'w\nz\n', 'c2'), restored(A, 'x\nz\n')],
    [{ change: 'edited', kind: 'edit', path: A, splices: line2('y') }],
  );
});

describe('#42 the smallest splices', () => {
  const smallest = (what: string, before: string, after: string, splices: readonly object[]) =>
    check(what, [agent(A, before, after)], [{ change: 'edited', kind: 'edit', path: A, splices }]);
  smallest('within a line', 'one two three\n', 'one 2 three\n', [{ start: 4, end: 5, text: 'two' }]);
  smallest('never half a line ending', 'a\r\n', 'a\n', [{ start: 1, end: 2, text: '\r\n' }]);
  smallest('nor half a character', 'a😀b\n', 'a😁b\n', [{ start: 1, end: 3, text: '😀' }]);
  smallest('nor its second half', 'a\ud83d\ude00b\n', 'a\ud83e\ude00b\n', [{ start: 1, end: 3, text: '😀' }]);
});

describe('I5 who wrote a line', () => {
  const authors = (reviews: ReviewModel, count: number) =>
    Array.from({ length: count }, (_, line) => reviews.originOf(A, line)?.call ?? '');

  it('follows what is written above, between and over it', () => {
    const reviews = createReviews();
    agent(A, 'a\nb\nc\n', 'a\nX\nY\nZ\nc\n', 'c1')(reviews);
    assert.deepEqual(authors(reviews, 5), ['', 'c1', 'c1', 'c1', '']);
    agent(A, 'a\nX\nY\nZ\nc\n', 'a\nX\nQ\nZ\nc\n', 'c2')(reviews);
    assert.deepEqual(authors(reviews, 5), ['', 'c1', 'c2', 'c1', '']);
    person(A, 'p\na\nX\nq\nQ\nZ\nc\n')(reviews);
    assert.deepEqual(authors(reviews, 7), ['', '', 'c1', '', 'c2', 'c1', '']);
    person(A, 'p\na\nX\nq\nQ\nr\nc\n')(reviews);
    assert.deepEqual(authors(reviews, 7), ['', '', 'c1', '', 'c2', '', '']);
  });

  it('tells two sessions in one file apart, and tells each what of its own was taken back', () => {
    const reviews = createReviews();
    reviews.agentChanged({ path: A, before: 'a\nb\nc\n', after: 'X\nb\nc\n', origin: originOf('c1', 's1') });
    reviews.agentChanged({ path: A, before: 'X\nb\nc\n', after: 'X\nb\nY\n', origin: originOf('c2', 's2') });
    assert.deepEqual(reviews.files(), [{ path: A, change: 'edited', added: 2, removed: 2, sessions: ['s1', 's2'] }]);
    const rejections = reviews.planUndo(A)?.rejections.map((each) => without(each, 'hunks'));
    assert.deepEqual(rejections, [
      { session: 's1', path: A, calls: ['c1'], diff: '@@ -1,3 +1,3 @@\n-a\n+X\n b\n Y' },
      { session: 's2', path: A, calls: ['c2'], diff: '@@ -1,3 +1,3 @@\n X\n b\n-c\n+Y' },
    ]);
  });
});

describe('complaint 10: what the model is told of a rejection', () => {
  it('is taken back when every change of it is under review again, wherever it stands by then', () => {
    const reviews = createReviews();
    agent(A, 'a\nb\nc\n', 'X\nb\nY\n')(reviews);
    const [rejection] = reviews.planUndo(A)?.rejections ?? [];
    assert.ok(rejection);
    const isBackAfter = (act: Act) => {
      act(reviews);
      return reviews.isBack(rejection);
    };
    assert.equal(isBackAfter(restored(A, 'a\nb\nc\n')), false);
    assert.equal(isBackAfter(person(A, 'X\nb\nY\n')), true);
    assert.equal(isBackAfter(person(A, 'p\nX\nb\nY\n')), true);
    assert.equal(isBackAfter(person(A, 'p\na\nb\nY\n')), false);
  });

  const told = (what: string, acts: readonly Act[], path: string, expected: readonly string[]) =>
    it(what, () => {
      const reviews = createReviews();
      for (const act of acts) act(reviews);
      assert.deepEqual(
        reviews.planUndo(path)?.rejections.map(({ diff }) => diff.split('\n')),
        [expected],
      );
    });
  told('a made file', [agent(A, undefined, 'x\n')], A, ['created file', '@@ -0,0 +1,1 @@', '+x']);
  told('a deleted file', [agent(A, 'x\n', undefined)], A, ['deleted file', '@@ -1,1 +0,0 @@', '-x']);
  told('a moved file', [move(A, B, 'x\n')], B, ['rename from /w/a', 'rename to /w/b']);
  told('what the person wrote into it too', [agent(A, 'a\nb\n', 'a\nX\nY\n'), person(A, 'a\nX\np\nY\n')], A, [
    '@@ -1,2 +1,4 @@',
    ' a',
    '-b',
    '+X',
    '+p',
    '+Y',
  ]);

  it('is bounded, and says how much is missing', () => {
    const reviews = createReviews();
    const long = Array.from({ length: 500 }, (_, at) => `line ${at} ${'x'.repeat(at === 3 ? 100_000 : 20)}\n`).join('');
    agent(A, '', long)(reviews);
    const [diff = ''] = reviews.planUndo(A)?.rejections.map((rejection) => rejection.diff) ?? [];
    assert.ok(diff.length < 4500, `${diff.length} characters`);
    const shown = diff.split('\n').filter((line) => line.startsWith('+')).length;
    assert.equal(diff.split('\n').at(-1), `… of the last one shown, ${500 - shown} more lines`);
  });
});

describe('#42 listeners', () => {
  it('hear of what changed, and of nothing else', () => {
    const reviews = createReviews();
    const heard: (readonly string[])[] = [];
    const stop = reviews.subscribe((paths) => heard.push(paths));
    agent(A, 'x\n', 'y\n')(reviews);
    agent(A, 'y\n', 'y\n')(reviews);
    person(A, 'y\n')(reviews);
    person(B, 'anything\n')(reviews);
    restored(B, 'anything\n')(reviews);
    move(A, B, 'y\n')(reviews);
    reviews.keep(B, ['unknown']);
    reviews.keep(B);
    reviews.keep(B);
    stop();
    agent(A, 'x\n', 'y\n')(reviews);
    assert.deepEqual(heard, [[A], [A, B], [B]]);
  });
});

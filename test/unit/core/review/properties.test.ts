// Review: what holds whatever agent and person do, in any order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices, splitLines } from '../../../../src/core/edit/lines';
import { decodeLine, encodeFile } from '../../../../src/core/review/record';
import { lineChanges } from '../../../../src/core/review/lineChanges';
import { createReviews, type ReviewModel } from '../../../../src/core/review/reviews';
import { checkHunks, originOf } from '../../../support/reviewTest';

const PATH = '/w/a.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n', '  a\n', 'a\r\n', '}\r\n', '😀\n', '😁\n');
/** The last line may have no line break. */
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '', 'z'))
  .map(([lines, last]) => lines.join('') + last);
/** Replaces some lines by others; where is told in thousandths. */
const edit = fc.record({
  at: fc.nat(1000),
  remove: fc.nat(4),
  insert: fc.array(line, { maxLength: 4 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function edited(before: string, { at, remove, insert }: Edit): string {
  const lines = splitLines(before);
  const start = Math.floor((at * (lines.length + 1)) / 1001);
  const isGlued = start > 0 && insert.length > 0 && !lines[start - 1]?.endsWith('\n');
  return [...lines.slice(0, start), ...(isGlued ? ['\n'] : []), ...insert, ...lines.slice(start + remove)].join('');
}

const which = fc.array(fc.nat(5), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('agent'), edit }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('person'), edit }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('agent', 'person', 'restored'), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('keep', 'undo'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reload', 'crlf', 'back', 'delete', 'create') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A file and its reviews, as the window has them. */
interface World {
  reviews: ReviewModel;
  text: string | undefined;
  readonly texts: (string | undefined)[];
}

function take(world: World, each: Step, index: number): void {
  const { reviews, text: now } = world;
  const ids = 'which' in each ? each.which.flatMap((at) => reviews.hunks(PATH)[at]?.id ?? []) : [];
  const wanted = () => ('text' in each ? each.text : 'edit' in each ? edited(now ?? '', each.edit) : undefined);
  const agent = (after: string | undefined) =>
    reviews.agentChanged({ path: PATH, before: now, after, origin: originOf(`c${index}`, `s${index % 2}`) });
  world.texts.push(now);
  if (each.kind === 'agent') {
    world.text = wanted();
    agent(world.text);
  } else if (each.kind === 'person') {
    world.text = wanted();
    reviews.personChanged(PATH, world.text);
  } else if (each.kind === 'restored') {
    world.text = wanted();
    reviews.restored(PATH, world.text);
  } else if (each.kind === 'keep') reviews.keep(PATH, ids);
  else if (each.kind === 'undo') undo(world, ids);
  else if (each.kind === 'reload') world.reviews = reloaded(reviews);
  else if (each.kind === 'crlf') {
    world.text = now?.replace(/\r?\n/g, '\r\n');
    reviews.personChanged(PATH, world.text);
  } else if (each.kind === 'back') {
    world.text = world.texts.at(-2);
    reviews.personChanged(PATH, world.text);
  } else {
    world.text = each.kind === 'delete' ? undefined : (now ?? 'new\n');
    agent(world.text);
  }
}

function undo(world: World, ids: readonly string[]): void {
  const plan = world.reviews.planUndo(PATH, ids)?.plan;
  if (!plan) return;
  if (plan.kind !== 'recreate') assert.equal(plan.before, world.text, 'it holds for the text there is');
  if (plan.kind === 'edit') world.text = applySplices(world.text ?? '', plan.splices);
  else world.text = plan.kind === 'recreate' ? plan.text : undefined;
  world.reviews.restored(PATH, world.text);
}

function reloaded(reviews: ReviewModel): ReviewModel {
  const states = reviews.states().map((state) => {
    const decoded = decodeLine(encodeFile(state, undefined), () => undefined);
    assert.equal(decoded?.kind, 'file');
    assert.deepEqual(withoutIds(decoded.state), withoutIds(state));
    return decoded.state;
  });
  return createReviews(states);
}

function withoutIds<T extends { readonly hunks: readonly object[] }>(state: T) {
  return { ...state, hunks: state.hunks.map((hunk) => ({ ...hunk, id: '' })) };
}

describe('#41 #42 review, whatever happens', () => {
  it('any order of agent, person, keep, undo and reload: hunks are in order and make the text of the baseline', () =>
    fc.assert(
      fc.property(fc.option(text, { nil: undefined }), fc.array(step, { maxLength: 14 }), (start, steps) => {
        const world: World = { reviews: createReviews(), text: start, texts: [] };
        for (const [index, each] of steps.entries()) {
          take(world, each, index);
          if (world.text !== undefined) checkHunks(world.reviews, PATH, world.text);
        }
      }),
      { numRuns: 2000 },
    ));

  const plain = fc.array(fc.constantFrom('a\n', 'b\n', '}\n', '\n'), { maxLength: 12 }).map((lines) => lines.join(''));
  const spots = fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 });
  it('lines that the person adds outside hunks are in no hunk, and the rest of the baseline stays as it was', () =>
    fc.assert(
      fc.property(plain, fc.array(fc.tuple(plain, spots), { maxLength: 5 }), (start, rounds) => {
        const reviews = createReviews();
        let [now, marks] = [start, 0];
        for (const [index, [after, places]] of rounds.entries()) {
          // The agent writes what it likes, but leaves the person's lines where they are between the same lines.
          const kept = splitLines(now).filter(isMark);
          const written = [...splitLines(after), ...kept].join('');
          reviews.agentChanged({ path: PATH, before: now, after: written, origin: originOf(`c${index}`) });
          const lines = splitLines(written);
          const isInside = (at: number) => reviews.hunks(PATH).some((hunk) => hunk.start < at && at < hunk.end);
          for (const place of places) {
            const at = place % (lines.length + 1);
            if (!isInside(at) && lines.join('') === written) lines.splice(at, 0, `person ${++marks}\n`);
          }
          now = lines.join('');
          const fresh = splitLines(now).filter((each) => isMark(each) && !kept.includes(each));
          reviews.personChanged(PATH, now);
          checkHunks(reviews, PATH, now);
          const base = reviews.baseline(PATH) ?? now;
          assert.equal(
            splitLines(base)
              .filter((each) => !isMark(each))
              .join(''),
            reviews.baseline(PATH) === undefined
              ? splitLines(now)
                  .filter((each) => !isMark(each))
                  .join('')
              : start,
          );
          for (const mark of fresh) {
            assert.ok(base.includes(mark));
            assert.ok(!reviews.hunks(PATH).some((hunk) => lines.slice(hunk.start, hunk.end).includes(mark)));
          }
          if (reviews.baseline(PATH) === undefined) return;
        }
      }),
      { numRuns: 2000 },
    ));

  it('the order in which hunks are kept and undone does not matter', () =>
    fc.assert(
      fc.property(
        text,
        text,
        fc.infiniteStream(fc.constantFrom('keep', 'undo', 'leave')),
        fc.nat(),
        (a, b, what, turn) => {
          const play = (rotate: number) => {
            const world: World = { reviews: createReviews(), text: b, texts: [] };
            world.reviews.agentChanged({ path: PATH, before: a, after: b, origin: originOf('c1') });
            const jobs = world.reviews.hunks(PATH).map(({ id }, index) => ({ id, what: choices[index] ?? 'leave' }));
            for (const { id, what } of [
              ...jobs.slice(rotate % (jobs.length || 1)),
              ...jobs.slice(0, rotate % (jobs.length || 1)),
            ]) {
              if (what === 'keep') world.reviews.keep(PATH, [id]);
              if (what === 'undo') undo(world, [id]);
            }
            const hunks = world.reviews.hunks(PATH).map(({ id: _id, ...hunk }) => hunk);
            return [world.text, world.reviews.baseline(PATH), hunks];
          };
          const choices = [...what.take(12)];
          assert.deepEqual(play(0), play(turn % 7));
        },
      ),
    ));

  it('all kept leaves nothing to undo; all undone is the text from before', () =>
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 4 }), (start, edits) => {
        const write = () => {
          const world: World = { reviews: createReviews(), text: start, texts: [] };
          for (const [index, each] of edits.entries()) take(world, { kind: 'agent', edit: each }, index);
          return world;
        };
        const kept = write();
        kept.reviews.keep(PATH);
        assert.deepEqual([kept.reviews.planUndo(PATH), kept.reviews.files()], [undefined, []]);
        const undone = write();
        const plan = undone.reviews.planUndo(PATH)?.plan;
        if (!plan) return assert.equal(undone.text, start);
        assert.equal(plan.kind, 'edit');
        assert.equal(applySplices(undone.text ?? '', plan.splices), start);
      }),
    ));

  it('a hunk that nobody touches keeps its id, and an id never names other lines', () =>
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 10 }), (start, steps) => {
        const world: World = { reviews: createReviews(), text: start, texts: [] };
        const known = new Map<string, string>();
        for (const [index, each] of steps.entries()) {
          if (each.kind === 'reload') continue;
          take(world, each, index);
          const [lines, base] = [world.text, world.reviews.baseline(PATH)].map((each) => splitLines(each ?? ''));
          for (const { id, start, end, baseStart, baseEnd } of world.reviews.hunks(PATH)) {
            const content = JSON.stringify([lines?.slice(start, end), base?.slice(baseStart, baseEnd)]);
            const before = known.get(id) ?? content;
            const eols = (value: string) => value.replaceAll('\\r\\n', '\\n');
            assert.equal(eols(content), eols(before));
            known.set(id, content);
          }
        }
      }),
      { numRuns: 1000 },
    ));

  it('lineChanges: between the changes everything is equal, and none touches the next', () =>
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), fc.array(edit, { maxLength: 6 }), (before, edits) => {
        const after = splitLines(edits.reduce(edited, before.join('')));
        let [at, newAt] = [0, 0];
        for (const [index, change] of lineChanges(before, after).entries()) {
          assert.ok(index === 0 || change.start > at, 'apart');
          assert.deepEqual(before.slice(at, change.start), after.slice(newAt, change.newStart));
          [at, newAt] = [change.end, change.newEnd];
        }
        assert.deepEqual(before.slice(at), after.slice(newAt));
      }),
    ));
});

function isMark(each: string): boolean {
  return each.startsWith('person');
}

// Whatever the agent and the person did to files: a restore gives back exactly what was there, and leaves the person's own alone.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withHistory, type FolderHistory } from '../../../support/history';

const NAMES = ['a', 'b', 'c', 'sub/d'] as const;

type Step =
  | { readonly what: 'turn' | 'reopen' }
  | { readonly what: 'agent' | 'person'; readonly name: string; readonly remove: boolean }
  | { readonly what: 'move'; readonly from: string; readonly to: string };

const name = fc.constantFrom(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('turn' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reopen' as const) }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('agent' as const), name, remove: chance(4) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('person' as const), name, remove: chance(4) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('move' as const), from: name, to: name }) },
);
const steps = fc.array(step, { minLength: 4, maxLength: 25 });

/** True one time in `times`. */
function chance(times: number): fc.Arbitrary<boolean> {
  return fc.nat(times - 1).map((at) => at === 0);
}

type Files = Readonly<Record<string, string>>;

/** What the agent's changes found and left, in order, and where turns began: the plain truth to compare with. */
interface Truth {
  readonly turns: { readonly turn: string; readonly at: number }[];
  readonly changes: {
    readonly name: string;
    readonly from?: string;
    readonly before?: string;
    readonly after?: string;
  }[];
}

/** Each text is written once, in all rounds. */
async function live(history: FolderHistory, all: readonly Step[], round = 0): Promise<Truth> {
  const truth: Truth = { turns: [], changes: [] };
  truth.turns.push({ turn: history.turn(), at: 0 });
  let texts = 0;
  for (const each of all) {
    const before: Files = await history.tree();
    if (each.what === 'turn') truth.turns.push({ turn: history.turn(), at: truth.changes.length });
    if (each.what === 'reopen') await history.reopen();
    if (each.what === 'person') await history.person(each.name, each.remove ? undefined : `person ${round}.${++texts}`);
    if (each.what === 'agent') await history.agent(each.name, each.remove ? undefined : `agent ${round}.${++texts}`);
    if (each.what === 'move') await history.move(each.from, each.to);
    if (each.what !== 'agent' && each.what !== 'move') continue;
    const after: Files = await history.tree();
    const changed = NAMES.filter((at) => before[at] !== after[at]).map((at) => changeOf(at, before, after));
    if (each.what !== 'move') truth.changes.push(...changed);
    else {
      // What is moved leaves its place before it arrives.
      truth.changes.push(...changed.filter((change) => change.name === each.from));
      truth.changes.push(
        ...changed.filter((change) => change.name === each.to).map((change) => ({ ...change, from: each.from })),
      );
    }
  }
  return truth;
}

function changeOf(at: string, before: Files, after: Files): Truth['changes'][number] {
  const [was, is] = [before[at], after[at]];
  return { name: at, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) };
}

/** What each name should hold after a restore; absent: the person was there in between, or where it was moved from, so it stays as it is. */
function expected(changes: Truth['changes'], now: Files): ReadonlyMap<string, string | undefined> {
  const theirs = new Set<string>();
  const carried = new Set<string>();
  const left = new Map<string, string | undefined>();
  for (const { name, from, before, after } of changes) {
    if (left.has(name) && left.get(name) !== before) theirs.add(name);
    left.set(name, after);
    if (from === undefined ? before === undefined : !theirs.has(from) && !carried.has(from)) carried.delete(name);
    else if (from !== undefined) carried.add(name);
  }
  const wanted = new Map<string, string | undefined>();
  for (const [at, text] of left) {
    const first = changes.find((change) => change.name === at)?.before;
    const isTheirs = theirs.has(at) || (carried.has(at) && now[at] !== undefined) || text !== now[at];
    if (!isTheirs || now[at] === first) wanted.set(at, first);
  }
  return wanted;
}

const personal = (files: Files) => Object.values(files).filter((text) => text.startsWith('person'));

describe('checkpoints: properties', () => {
  it('R36 a restore gives the bytes of before for all that the person did not touch, and undo what was there', () =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.boolean(), (all, choice, reopens) =>
        withHistory({ a: 'first a', b: 'first b' }, async (history) => {
          const { turns, changes } = await live(history, all);
          const now = await history.tree();
          const start = turns[choice % turns.length];
          assert.ok(start);
          if (reopens) await history.reopen();
          const outcome = await history.changes().checkpoints.restore(start.turn, []);
          assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
          const then: Files = await history.tree();
          // What was moved stays at its new place where somebody else's file is at the old one.
          const stuck = outcome.ok ? outcome.kept.filter(({ reason }) => reason?.includes('moved here')) : [];
          const moved = new Set(stuck.map(({ path }) => path.slice(history.root.length + 1)));
          const wanted = expected(changes.slice(start.at), now);
          for (const at of NAMES) {
            if (!wanted.has(at)) assert.equal(then[at], now[at], `${at} is the person's`);
            else if (!moved.has(at)) assert.equal(then[at], wanted.get(at), `${at} is as before`);
          }
          if (reopens) await history.reopen();
          if (outcome.ok && outcome.files.length > 0) {
            const undone = await history.changes().checkpoints.undo([]);
            assert.deepEqual(undone.ok && undone.kept, []);
          }
          assert.deepEqual(await history.tree(), now);
        }),
      ),
      { numRuns: 60 },
    )).timeout(120_000);

  it('complaint 34: between any restores and undos nothing that the person wrote goes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(steps, fc.nat(), fc.boolean()), { maxLength: 4 }), (rounds) =>
        withHistory({ a: 'first a' }, async (history) => {
          const turns: string[] = [];
          // What was not there and a restore brought, a later one to a time without it may take again.
          const brought = new Set<string>();
          for (const [round, [all, choice, undoes]] of rounds.entries()) {
            turns.push(...(await live(history, all.slice(0, 8), round)).turns.map(({ turn }) => turn));
            const before = await history.tree();
            const { checkpoints } = history.changes();
            const turn = turns[choice % turns.length] ?? '';
            const outcome = undoes ? await checkpoints.undo([]) : await checkpoints.restore(turn, []);
            assert.equal(outcome.ok || undoes, true, outcome.ok ? '' : outcome.reason);
            const after = await history.tree();
            const missing = personal(before).filter((text) => !personal(after).includes(text));
            assert.deepEqual(
              missing.filter((text) => !brought.has(text)),
              [],
            );
            for (const text of personal(after)) if (!personal(before).includes(text)) brought.add(text);
            const again = await checkpoints.preview(turn);
            if (undoes) continue;
            assert.deepEqual(
              again.files.filter(({ state }) => state === 'ready'),
              [],
            );
          }
        }),
      ),
      { numRuns: 30 },
    )).timeout(120_000);
});

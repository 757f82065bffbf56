// Review over a reload: what is stored, what is not, and what happens to it when it is torn or not ours.
import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { createReviews, type ReviewModel } from '../../../../src/core/review/reviews';
import { resumeReviews, StoredReviews } from '../../../../src/core/review/stored';
import { originOf } from '../../../support/reviewTest';
import { createWorkspace, type Workspace } from '../../../support/workspace';

describe('I1 stored reviews', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await createWorkspace({ a: 'a\nX\nc\n', b: 'new\n' });
  });
  afterEach(() => workspace.remove());

  const open = () => new StoredReviews(workspace.host.store, [workspace.root]);
  const folder = async () => {
    const review = join(workspace.outside, 'store', 'review');
    const [key = ''] = await readdir(review).catch(() => []);
    return join(review, key);
  };
  /** Everything that is shown. */
  const shown = (reviews: ReviewModel) =>
    reviews.files().map((file) => ({
      ...file,
      baseline: reviews.baseline(file.path),
      hunks: reviews.hunks(file.path).map(({ id: _id, ...hunk }) => hunk),
      writers: [0, 1, 2, 3].map((line) => reviews.originOf(file.path, line)),
    }));
  const change = (
    reviews: ReviewModel,
    name: string,
    before: string | undefined,
    after: string | undefined,
    call = 'c1',
  ) => reviews.agentChanged({ path: workspace.path(name), before, after, origin: originOf(call) });
  /** Three files: edited, made, deleted. */
  const written = () => {
    const reviews = createReviews();
    change(reviews, 'a', 'a\nb\nc\n', 'a\nX\nc\n');
    change(reviews, 'b', undefined, 'new\n');
    change(reviews, 'gone', 'old\n', undefined);
    return reviews;
  };

  it('are the same after a reload, moved files and several sessions too', async () => {
    const reviews = written();
    await workspace.host.edits.apply({
      ...{ label: 'Move', call: 'c9' },
      changes: [{ kind: 'create', path: workspace.path('d'), text: 'm\nn\n' }],
    });
    reviews.agentChanged({
      ...{ path: workspace.path('c'), before: 'm\n', after: 'm\nn\n', movedTo: workspace.path('d') },
      origin: originOf('c2', 's2'),
    });
    assert.deepEqual(await open().save(reviews.states()), { inMemory: [] });
    const later = await resumeReviews(open(), workspace.host.files);
    assert.equal(later.files().length, 4);
    assert.deepEqual(shown(later), shown(reviews));
  });

  it('take what happened to the files in between as the person’s', async () => {
    await open().save(written().states());
    await writeFile(workspace.path('a'), 'p\na\nX\nc\n');
    await rm(workspace.path('b'));
    await writeFile(workspace.path('gone'), 'old\n');
    const later = await resumeReviews(open(), workspace.host.files);
    assert.deepEqual(
      shown(later).map(({ path, baseline, hunks }) => [path, baseline, hunks.map(({ start, end }) => [start, end])]),
      [[workspace.path('a'), 'p\na\nb\nc\n', [[2, 3]]]],
    );
  });

  it('leave nothing behind when nothing is under review', async () => {
    const reviews = written();
    const stored = open();
    assert.equal(await stored.exists(), false);
    await stored.save(reviews.states());
    assert.equal(await open().exists(), true);
    for (const { path } of reviews.files()) reviews.keep(path);
    await stored.save(reviews.states());
    assert.equal(await open().exists(), false);
    assert.deepEqual(await open().load(), []);
  });

  it('write only what has changed', async () => {
    const reviews = written();
    const stored = open();
    const sizes: number[] = [];
    const long = 'line\n'.repeat(10_000);
    change(reviews, 'long', long, `${long}end\n`);
    const save = async () => {
      await stored.save(reviews.states());
      sizes.push((await readFile(join(await folder(), '1.jsonl'))).length);
    };
    await save();
    await save();
    change(reviews, 'long', `${long}end\n`, `${long}end\nend\n`);
    await save();
    reviews.personChanged(workspace.path('long'), `p\n${long}end\nend\n`);
    await save();
    assert.deepEqual(await readdir(await folder()), ['1.jsonl']);
    assert.equal(sizes[0], sizes[1]);
    assert.ok((sizes[3] ?? Infinity) - (sizes[1] ?? 0) < 2000, `${sizes.join()}`);
    const later = createReviews(await open().load());
    assert.deepEqual(shown(later), shown(reviews));
  });

  it('write the file anew when it is mostly history', async () => {
    const stored = open();
    const reviews = createReviews();
    let text = '';
    for (let round = 0; round < 12; round++) {
      const next = `${round}`.repeat(200_000);
      change(reviews, 'a', text, next);
      await stored.save(reviews.states());
      text = next;
    }
    const names = await readdir(await folder());
    assert.equal(names.length, 1);
    assert.notEqual(names[0], '1.jsonl');
    assert.deepEqual(shown(createReviews(await open().load())), shown(reviews));
  });

  it('say which files are too long', async () => {
    const reviews = written();
    change(reviews, 'huge', '', 'x'.repeat(1024 * 1024 + 1));
    for (let at = 0; at < 33; at++) change(reviews, `large ${at}`, '', `${at}`.repeat(500_000));
    const { inMemory } = await open().save(reviews.states());
    const stored = (await open().load()).map(({ path }) => path);
    assert.equal(inMemory[0], workspace.path('huge'));
    assert.deepEqual(
      [...stored, ...inMemory].sort(),
      reviews
        .files()
        .map(({ path }) => path)
        .sort(),
    );
    assert.ok(inMemory.length > 0 && stored.length > 20);
  });

  it('try again what could not be written', async () => {
    const reviews = written();
    const inTheWay = join(workspace.outside, 'store', 'review');
    await workspace.host.store.append('other', 'x');
    await writeFile(inTheWay, 'not a folder');
    const stored = open();
    const { failed } = await stored.save(reviews.states());
    assert.equal(typeof failed, 'string');
    await rm(inTheWay);
    assert.deepEqual(await stored.save(reviews.states()), { inMemory: [] });
    assert.deepEqual(shown(createReviews(await open().load())), shown(reviews));
  });

  it('are those of their own workspace', async () => {
    await open().save(written().states());
    assert.deepEqual(await new StoredReviews(workspace.host.store, ['/elsewhere']).load(), []);
  });

  it('drop what is torn, and never what was written before it', async () => {
    const stored = open();
    const reviews = createReviews();
    change(reviews, 'a', 'a\n', 'b\n');
    await stored.save(reviews.states());
    const name = join(await folder(), '1.jsonl');
    const whole = (await readFile(name)).length;
    change(reviews, 'b', 'c\n', 'd\n');
    await stored.save(reviews.states());
    const all = (await readFile(name)).length;
    // Without its line break the last line is whole still.
    for (let size = all - 2; size >= 0; size -= 7) {
      await truncate(name, size);
      const paths = (await open().load()).map(({ path }) => path);
      assert.deepEqual(paths, size >= whole ? [workspace.path('a')] : [], `${size} of ${all} bytes`);
    }
  });

  it('never throw for what others have written there', async () => {
    await open().save(written().states());
    const name = join(await folder(), '1.jsonl');
    const good = (await readFile(name, 'utf8')).trimEnd().split('\n');
    const fields = ['v', 'path', 'isNew', 'isGone', 'base', 'text', 'sum', 'hunks', 'origins', 'writers'];
    const numbers = { start: 0, end: 1e15, text: '' };
    const hunk = { lines: [0, 1e15, 0, 0], origins: [99], authors: [[1e15, 0]] };
    const damage = fc.record({
      line: fc.nat(good.length - 1),
      field: fc.constantFrom(...fields),
      value: fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>(numbers, [hunk], [{ ...hunk, authors: [[-1, 0]] }], [[]]),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), fc.string(), async (damages, junk) => {
        const lines = [...good];
        for (const { line, field, value } of damages) {
          lines[line] = JSON.stringify({ ...(JSON.parse(lines[line] ?? '{}') as object), [field]: value });
        }
        await writeFile(name, [junk, ...lines, good.at(-1)].join('\n'));
        for (const { path } of createReviews(await open().load()).files()) assert.equal(typeof path, 'string');
      }),
      { numRuns: 300 },
    );
  });
});

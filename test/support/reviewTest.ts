// What tests of the review have in common: who made a change, and what must be true of every file under review.
import assert from 'node:assert/strict';
import { applySplices, splitLines } from '../../src/core/edit/lines';
import type { EditOrigin, Path } from '../../src/core/host';
import type { ReviewModel } from '../../src/core/review/reviews';

export function originOf(call: string, session = 's1'): EditOrigin {
  return { session, turn: `turn of ${call}`, call, prompt: 'Do it', title: `Edit ${call}`, time: 1 };
}

/** That hunks are in order and apart, make the text of the baseline, and can be taken back without touching anything else. */
export function checkHunks(reviews: ReviewModel, path: Path, text: string): void {
  const base = reviews.baseline(path);
  if (base === undefined) return assert.deepEqual(reviews.hunks(path), []);
  const [lines, baseLines] = [splitLines(text), splitLines(base)];
  const made: string[] = [];
  let [at, baseAt] = [-1, 0];
  for (const { start, end, baseStart, baseEnd, origins } of reviews.hunks(path)) {
    assert.ok(origins.length > 0, 'somebody wrote it');
    assert.ok(at < start && start <= end && baseAt <= baseStart && baseStart <= baseEnd, 'in order and apart');
    assert.ok(end > start || baseEnd > baseStart, 'not empty');
    made.push(...baseLines.slice(baseAt, baseStart), ...lines.slice(start, end));
    [at, baseAt] = [end, baseEnd];
  }
  assert.equal([...made, ...baseLines.slice(baseAt)].join(''), text, 'the hunks make the text of the baseline');
  const offsets = [0];
  for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + line.length);
  for (const hunk of reviews.hunks(path)) {
    const plan = reviews.planUndo(path, [hunk.id])?.plan;
    if (plan?.kind !== 'edit') continue;
    for (const { start, end } of plan.splices)
      assert.ok((offsets[hunk.start] ?? 0) <= start && end <= (offsets[hunk.end] ?? 0), 'within the hunk');
  }
  const all = reviews.planUndo(path)?.plan;
  if (all?.kind === 'edit') assert.equal(applySplices(text, all.splices), base, 'all of it undone is the baseline');
}

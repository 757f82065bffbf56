// Planned edits as data: one text, one or several edits, and what has to come of them.
import assert from 'node:assert/strict';
import { applySplices } from '../../src/core/edit/lines';
import { planEdit, type EditRequest } from '../../src/core/edit/plan';
import type { RefusalKind } from '../../src/core/edit/refusal';

export interface EditTest {
  readonly what: string;
  readonly text: string;
  readonly old?: string;
  readonly new?: string;
  readonly all?: true;
  /** Instead of `old` and `new`. */
  readonly edits?: readonly EditRequest[];
  /** What the file is called where that matters. */
  readonly path?: string;
  readonly after?: string;
  /** The stage when it is not the exact one. */
  readonly stage?: string;
  readonly refused?: RefusalKind;
  readonly says?: RegExp;
}

export function checkEdits(group: string, cases: readonly EditTest[]): void {
  describe(group, () => {
    for (const test of cases) it(test.what, () => checkEdit(test));
  });
}

function checkEdit({ text, path = 'f', after, stage = 'simple', refused, says, ...request }: EditTest): void {
  const single = { oldString: request.old ?? '', newString: request.new ?? '', replaceAll: request.all ?? false };
  const planned = planEdit(path, text, request.edits ?? [single]);
  if (!planned.ok) {
    assert.equal(planned.kind, refused, planned.reason);
    if (says) assert.match(planned.reason, says);
    return;
  }
  assert.deepEqual(
    { text: planned.text, stage: planned.stage, spliced: applySplices(text, planned.splices) },
    { text: after, stage, spliced: after },
  );
}

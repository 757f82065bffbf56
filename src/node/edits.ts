// The Edits port on a disk: the only writer of workspace files. A plan is applied whole or not at all.
import { rm } from 'node:fs/promises';
import { messageOf } from '../common/errors';
import type { EditedFile, EditOutcome, EditPlan, Edits, FileChange } from '../core/host';
import { commit, rollBack } from './commit';
import { discard, isRefusal, stage, type Refusal, type Staged } from './stage';

export interface EditLimits {
  readonly maxBytes: () => number;
}

/** Plans are applied one after another, so that two calls never race for one file (R37). */
export function createEdits(limits: EditLimits): Edits {
  let last: Promise<unknown> = Promise.resolve();
  return {
    apply(plan) {
      const outcome = last.then(() => applyPlan(plan, limits.maxBytes()));
      last = outcome;
      return outcome;
    },
  };
}

async function applyPlan(plan: EditPlan, maxBytes: number): Promise<EditOutcome> {
  const staged: Staged[] = [];
  const done: Staged[] = [];
  let isApplied = false;
  try {
    const refusal = await prepareAll(plan.changes, maxBytes, staged);
    if (refusal) return { ok: false, reason: await undo(done, refusal) };
    await plan.ready;
    const files: EditedFile[] = [];
    for (const change of staged) {
      const refused = await commit(change);
      if (refused) return { ok: false, reason: await undo(done, refused) };
      done.push(change);
      files.push(change.edited);
    }
    isApplied = true;
    await Promise.all(staged.map(forget));
    return { ok: true, files };
  } catch (error) {
    return { ok: false, reason: await undo(done, { refusal: messageOf(error) }) };
  } finally {
    // What was applied has left nothing behind.
    if (!isApplied) await Promise.all(staged.map(discard));
  }
}

/** What a plan that is done does not need any more. */
async function forget({ aside }: Staged): Promise<void> {
  if (aside !== undefined) await rm(aside, { force: true }).catch(() => {});
}

async function prepareAll(
  changes: readonly FileChange[],
  maxBytes: number,
  staged: Staged[],
): Promise<Refusal | undefined> {
  for (const change of changes) {
    const prepared = await stage(change, maxBytes);
    if (isRefusal(prepared)) return prepared;
    staged.push(prepared);
  }
  const twice = staged.find(({ real }, at) => staged.findIndex((other) => other.real === real) !== at);
  return twice && { refusal: `${twice.change.path} is changed twice in one plan.` };
}

/** Takes back what is already on disk; says so when even that fails, since then the person must know. */
async function undo(done: Staged[], { refusal }: Refusal): Promise<string> {
  const faults: string[] = [];
  for (const change of done.reverse()) {
    const fault = await rollBack(change);
    if (fault !== undefined) faults.push(fault);
  }
  if (faults.length === 0) return `${refusal} Nothing was changed.`;
  return `${refusal} Taking back the changes made so far failed too: ${faults.join(' ')}`;
}

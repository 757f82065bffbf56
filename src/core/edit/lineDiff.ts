// What a model changed between two texts, by lines: equal ones first, then those that were only moved in or out.
import { diffArrays } from 'diff';
import { trimBlanks } from './fold';
import { MAX_CHANGED_LINES } from './lines';

/** Lines that stay, then lines that go, then lines that come. */
export interface LineHunk {
  readonly kept: number;
  readonly removed: number;
  readonly added: number;
}

export function diffLines(before: readonly string[], after: readonly string[]): LineHunk[] {
  const right = (line: string) => line.trimEnd();
  const hunks: LineHunk[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const { kept, removed, added } of diffBy(before, after, right)) {
    const [oldFrom, newFrom] = [oldAt + kept, newAt + kept];
    oldAt = oldFrom + removed;
    newAt = newFrom + added;
    hunks.push({ kept, removed: 0, added: 0 });
    hunks.push(...diffBy(before.slice(oldFrom, oldAt), after.slice(newFrom, newAt), trimBlanks));
  }
  return joined(hunks);
}

/** Whether a line of the text before stays. */
export function keepsLine(hunks: readonly LineHunk[], line: number): boolean {
  let at = 0;
  for (const { kept, removed } of hunks) {
    if (line < at + kept) return true;
    at += kept + removed;
    if (line < at) return false;
  }
  return false;
}

function diffBy(before: readonly string[], after: readonly string[], key: (line: string) => string): LineHunk[] {
  const all = { kept: 0, removed: before.length, added: after.length };
  const parts = diffArrays(before.map(key), after.map(key), { maxEditLength: MAX_CHANGED_LINES });
  if (!parts) return [all];
  const hunks: LineHunk[] = [];
  let hunk = { kept: 0, removed: 0, added: 0 };
  for (const { added, removed, value } of parts) {
    if (added) hunk.added += value.length;
    else if (removed) hunk.removed += value.length;
    else {
      hunks.push(hunk);
      hunk = { kept: value.length, removed: 0, added: 0 };
    }
  }
  return [...hunks, hunk];
}

/** Without hunks that only continue the one before. */
function joined(hunks: readonly LineHunk[]): LineHunk[] {
  const out: LineHunk[] = [];
  for (const hunk of hunks) {
    const last = out.at(-1);
    if (last && hunk.kept === 0) {
      out[out.length - 1] = { ...last, removed: last.removed + hunk.removed, added: last.added + hunk.added };
    } else if (last && last.removed + last.added === 0) out[out.length - 1] = { ...hunk, kept: last.kept + hunk.kept };
    else out.push(hunk);
  }
  return out;
}

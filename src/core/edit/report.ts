// What a tool says about an edit that was applied: where, how the place was found, and what else happened to the file.
import type { Display, FileDiff } from '../../common/display';
import type { EditedFile, Path } from '../host';
import type { ReadState } from '../files/readState';
import { diffTexts, formatDiff } from './patch';

export interface AppliedEdit {
  /** As it was planned. */
  readonly diff: FileDiff;
  readonly plannedText: string;
  readonly edited: EditedFile;
}

/** Also notes in the read record that the model knows the text as it is now. */
export function reportEdit(
  real: Path,
  shown: string,
  { diff, plannedText, edited }: AppliedEdit,
  reads: ReadState,
): { readonly text: string; readonly display: Display } {
  const { after } = edited;
  const { known, isCut, calls = [], inContext = true } = reads.get(real) ?? {};
  if (after) {
    const part = { ...(known ? { known } : {}), ...(isCut ? { isCut } : {}) };
    reads.set(real, { version: after.version, ...part, calls, inContext });
  }
  const { match } = diff;
  const text = [
    headline(shown, diff),
    ...(match
      ? [`Found by ${match.stage} (similarity ${match.similarity.toFixed(2)}), so check the result:`, formatDiff(diff)]
      : []),
    ...(after && after.text !== plannedText
      ? [
          'On save the file was changed further (a formatter, for example):',
          formatDiff(diffTexts(plannedText, after.text, diff)),
        ]
      : []),
    ...(edited.unsavedBecause === undefined ? [] : [edited.unsavedBecause]),
  ].join('\n');
  return { text, display: { kind: 'diff', files: [diff] } };
}

const MAX_RANGES = 5;

function headline(shown: string, { change, added, removed, hunks }: FileDiff): string {
  const verb = change === 'created' ? 'Created' : 'Edited';
  if (change === 'created') return `${verb} ${shown} (${added} ${added === 1 ? 'line' : 'lines'}).`;
  const ranges = hunks.slice(0, MAX_RANGES).map(({ newStart, lines }) => {
    const first = newStart + lines.findIndex(({ sign }) => sign !== ' ');
    const changed = lines.filter(({ sign }) => sign === '+').length;
    return changed > 1 ? `${first}–${first + changed - 1}` : `${first}`;
  });
  const more = hunks.length - ranges.length;
  const where = ranges.length === 0 ? '' : `, at line ${ranges.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${verb} ${shown} (+${added} −${removed}${where}).`;
}

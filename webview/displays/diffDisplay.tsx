// What an edit changes or changed, file by file, with line numbers of both sides.
import type { FileDiff } from '../../src/common/display';
import { usePanel, useRemembered } from '../panel';
import { countOf } from '../text/format';
import { showHidden } from '../text/visible';
import { LinkButton } from '../ui/controls';
import { countRows, layoutHunk, type DiffRow, type Span } from './diffLayout';
import type { DisplayProps, Place } from './displayView';
import { PathLink } from './pathLink';

/** Lines of a diff shown before somebody asks for the rest. */
const FIRST_ROWS = 40;
const WORDS: Readonly<Record<FileDiff['change'], string>> = {
  created: 'new file',
  edited: '',
  deleted: 'deleted',
  moved: 'moved',
};

export function DiffDisplay({ display, call, place }: DisplayProps<'diff'>) {
  const { files, moreFiles = 0 } = display;
  return (
    <div class="diffs">
      {files.map((file) => (
        <DiffFile key={file.path} file={file} call={call} place={place} />
      ))}
      {moreFiles > 0 && <p class="dim">and {countOf(moreFiles, 'more file')}</p>}
    </div>
  );
}

function DiffFile({ file, call, place }: { readonly file: FileDiff; readonly call: string; readonly place: Place }) {
  const { actions } = usePanel();
  const isWhole = useRemembered(`diff ${call} ${file.path}`, false);
  const rows = countRows(file);
  const isCut = place === 'card' && !isWhole.value && rows > FIRST_ROWS;
  const { match, moreHunks = 0 } = file;
  return (
    <div class="diff-file">
      <div class="file-line">
        <PathLink path={file.path} />
        <span class="counts">
          <span class="added">+{file.added}</span> <span class="removed">−{file.removed}</span>
        </span>
        {WORDS[file.change] && <span class="dim">{WORDS[file.change]}</span>}
        {file.from !== undefined && <span class="dim">from {showHidden(file.from)}</span>}
        <span class="spring" />
        <LinkButton onClick={() => void actions.openDiff(call, file.path)}>Open diff</LinkButton>
      </div>
      {match && match.stage !== 'exact' && match.stage !== 'simple' && (
        <p class="dim">
          Found by “{match.stage}” with {Math.floor(match.similarity * 100)} % similarity, not by an exact match.
        </p>
      )}
      {rows > 0 && <DiffTable file={file} maxRows={isCut ? FIRST_ROWS : rows} place={place} />}
      {isCut && (
        <div class="card-actions">
          <LinkButton onClick={() => (isWhole.value = true)}>Show {countOf(rows - FIRST_ROWS, 'more line')}</LinkButton>
        </div>
      )}
      {moreHunks > 0 && <p class="dim">{countOf(moreHunks, 'more change')} in the diff editor</p>}
    </div>
  );
}

interface TableProps {
  readonly file: FileDiff;
  readonly maxRows: number;
  readonly place: Place;
}

/** In an approval long lines are wrapped: nothing may lie beyond the edge. */
function DiffTable({ file, maxRows, place }: TableProps) {
  const table = (
    <table class="diff">
      <tbody>{bodyRows(file, maxRows)}</tbody>
    </table>
  );
  if (place === 'approval') return <div class="diff-wrapped">{table}</div>;
  return (
    <div class="diff-scroll" tabIndex={0} role="group" aria-label={`Changes in ${showHidden(file.path)}`}>
      {table}
    </div>
  );
}

function bodyRows(file: FileDiff, maxRows: number) {
  let room = maxRows;
  return file.hunks.flatMap((hunk, index) => {
    const rows = layoutHunk(hunk).slice(0, room);
    room -= rows.length;
    if (rows.length === 0) return [];
    const gap =
      index > 0 ? (
        <tr key={`gap ${index}`} class="gap">
          <td colSpan={4}>⋯</td>
        </tr>
      ) : null;
    return [gap, ...rows.map((row, line) => <Line key={`${index} ${line}`} row={row} />)];
  });
}

const SIGN_CLASS: Readonly<Record<DiffRow['sign'], string>> = { ' ': 'same', '+': 'added', '-': 'removed' };

function Line({ row }: { readonly row: DiffRow }) {
  return (
    <tr class={SIGN_CLASS[row.sign]}>
      <td class="line-number">{row.oldLine}</td>
      <td class="line-number">{row.newLine}</td>
      <td class="sign">{row.sign === '-' ? '−' : row.sign}</td>
      <td class="code">{row.changed ? marked(row.text, row.changed) : showHidden(row.text)}</td>
    </tr>
  );
}

function marked(text: string, { start, end }: Span) {
  return (
    <>
      {showHidden(text.slice(0, start))}
      <mark>{showHidden(text.slice(start, end))}</mark>
      {showHidden(text.slice(end))}
    </>
  );
}

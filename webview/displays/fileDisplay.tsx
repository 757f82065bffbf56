// Files that a call read or found.
import { countOf } from '../text/format';
import type { DisplayProps } from './displayView';
import { PathLink } from './pathLink';
import { WholeOutput } from './wholeOutput';

export function FileDisplay({ display }: DisplayProps<'file'>) {
  const { path, startLine, endLine, totalLines, unit = 'line' } = display;
  const range = `${unit}s ${startLine}–${endLine}${totalLines === undefined ? '' : ` of ${totalLines}`}`;
  return (
    <div class="file-line">
      {startLine > 1 ? <PathLink path={path} line={startLine} /> : <PathLink path={path} />}
      <span class="dim">{endLine < startLine ? 'empty' : range}</span>
    </div>
  );
}

export function FilesDisplay({ display, call, wholeChars, place }: DisplayProps<'files'>) {
  const { paths, more } = display;
  if (paths.length === 0) return <p class="dim">Nothing was found.</p>;
  return (
    <>
      <ul class={`plain-list ${place === 'card' ? 'bounded' : ''}`}>
        {paths.map((path) => (
          <li key={path}>
            <PathLink path={path} />
          </li>
        ))}
        {more > 0 && <li class="dim">and {countOf(more, 'more file')}</li>}
      </ul>
      {more > 0 && <WholeOutput call={call} moreChars={wholeChars} />}
    </>
  );
}

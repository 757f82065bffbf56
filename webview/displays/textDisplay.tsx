// Plain text of a call.
import { countOf } from '../text/format';
import { showBlankRuns, showOutput } from '../text/visible';
import type { DisplayProps } from './displayView';
import { WholeOutput } from './wholeOutput';

export function TextDisplay({ display, call, place }: DisplayProps<'text'>) {
  const { text, moreChars = 0, tail = '' } = display;
  const gap = moreChars > 0 && <p class="dim">⋯ {countOf(moreChars, 'more character')}</p>;
  if (place === 'approval') {
    return (
      <>
        <pre class="whole-text">{showBlankRuns(showOutput(text))}</pre>
        {gap}
        {tail !== '' && <pre class="whole-text">{showBlankRuns(showOutput(tail))}</pre>}
      </>
    );
  }
  return (
    <>
      {text !== '' && (
        <pre class="output" tabIndex={0} role="group" aria-label="Output">
          {showOutput(text)}
        </pre>
      )}
      {tail !== '' && (
        <>
          {gap}
          <pre class="output" tabIndex={0} role="group" aria-label="End of the output">
            {showOutput(tail)}
          </pre>
        </>
      )}
      <WholeOutput call={call} moreChars={moreChars} />
    </>
  );
}

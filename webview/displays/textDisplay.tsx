// Plain text of a call.
import { showBlankRuns, showOutput } from '../text/visible';
import type { DisplayProps } from './displayView';
import { WholeOutput } from './wholeOutput';

export function TextDisplay({ display, call, place }: DisplayProps<'text'>) {
  const { text, moreChars = 0 } = display;
  if (place === 'approval') return <pre class="whole-text">{showBlankRuns(showOutput(text))}</pre>;
  return (
    <>
      {text !== '' && (
        <pre class="output" tabIndex={0} role="group" aria-label="Output">
          {showOutput(text)}
        </pre>
      )}
      <WholeOutput call={call} moreChars={moreChars} />
    </>
  );
}

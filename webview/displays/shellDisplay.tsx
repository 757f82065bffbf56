// A command and the end of what it printed.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel';
import { showBlankRuns, showHidden, showOutput } from '../text/visible';
import { LinkButton } from '../ui/controls';
import { Icon } from '../ui/icon';
import { CopyButton } from '../ui/copyButton';
import type { DisplayProps } from './displayView';
import { PathLink } from './pathLink';
import { WholeOutput } from './wholeOutput';

export function ShellDisplay({ display, call, place }: DisplayProps<'shell'>) {
  const { actions } = usePanel();
  const { command, cwd, tail, moreChars, waits, exit, place: ranIn, mayTakeEffect = [] } = display;
  const text = showOutput(tail).replace(/\n$/, '');
  return (
    <div class="shell">
      <div class="command">
        <span class="prompt" aria-hidden="true">
          $
        </span>
        <code>{showBlankRuns(showHidden(command))}</code>
        {place !== 'approval' && <CopyButton label="Copy command" text={() => command} />}
      </div>
      {cwd !== '' && place !== 'unrun' && <p class="dim cwd">in {showHidden(cwd)}</p>}
      {ranIn && place !== 'unrun' && <p class="dim">{ranIn === 'inside' ? SANDBOXED : 'Not sandboxed'}</p>}
      {mayTakeEffect.map((path) => (
        <p class="unsure" key={path} dir="auto">
          <Icon name="warning" /> Look at <PathLink path={path} />: what it made there may take effect by itself
        </p>
      ))}
      {place === 'card' && (
        <>
          {moreChars > 0 && text !== '' && <p class="dim">⋯ the end of the output</p>}
          {text !== '' && <Tail text={text} />}
          {waits && (
            <p class="dim" role="status">
              It seems to wait for input. Type in the terminal.
            </p>
          )}
          {exit && text === '' && <p class="dim">No output</p>}
          <WholeOutput call={call} moreChars={moreChars}>
            <LinkButton onClick={() => actions.showTerminal(call)}>Show terminal</LinkButton>
          </WholeOutput>
        </>
      )}
    </div>
  );
}

const SANDBOXED = 'Sandboxed: no network, writes only in the workspace';

/** Stays at its end while it grows, unless somebody has scrolled it up. */
function Tail({ text }: { readonly text: string }) {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const { current } = box;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 8;
  };
  return (
    <pre class="output tail" ref={box} onScroll={onScroll} tabIndex={0} role="group" aria-label="Output">
      {text}
    </pre>
  );
}

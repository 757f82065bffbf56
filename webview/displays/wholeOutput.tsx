// The whole stored output of a call, fetched piece by piece when somebody asks for it.
import type { ComponentChildren } from 'preact';
import { usePanel, useRemembered } from '../panel';
import { showOutput } from '../text/visible';
import { LinkButton } from '../ui/controls';
import { formatCount } from '../text/format';

interface Loaded {
  readonly text: string;
  readonly next: number;
  readonly bytes: number;
  readonly isLoading: boolean;
  /** Nothing came any more, whatever length was announced. */
  readonly isOver: boolean;
}

const NOTHING: Loaded = { text: '', next: 0, bytes: 0, isLoading: false, isOver: false };

interface Props {
  readonly call: string;
  /** What the display beside it leaves out. */
  readonly moreChars: number;
  /** Other things that can be done with the output. */
  readonly children?: ComponentChildren;
}

export function WholeOutput({ call, moreChars, children }: Props) {
  const { actions } = usePanel();
  const loaded = useRemembered(`output ${call}`, NOTHING);
  const { text, next, bytes, isLoading, isOver } = loaded.value;

  const load = async () => {
    if (loaded.value.isLoading) return;
    const before = loaded.value;
    loaded.value = { ...before, isLoading: true };
    const piece = await actions.readOutput(call, before.next);
    loaded.value = piece
      ? { ...piece, text: before.text + piece.text, isLoading: false, isOver: piece.text === '' }
      : { ...before, isLoading: false };
  };

  const isStarted = next > 0;
  const canLoad = !isOver && (isStarted ? next < bytes : moreChars > 0);
  const words = isStarted
    ? `Show more (${formatCount(bytes - next)} bytes left)`
    : `Show the whole output (${formatCount(moreChars)} more characters)`;
  return (
    <>
      {isStarted && (
        <pre class="output whole" tabIndex={0} role="group" aria-label="Whole output">
          {showOutput(text)}
        </pre>
      )}
      {isOver && !isStarted && <p class="dim">The whole output is not kept any more.</p>}
      {(canLoad || children) && (
        <div class="card-actions">
          {canLoad && <LinkButton onClick={() => void load()}>{isLoading ? 'Loading…' : words}</LinkButton>}
          {children}
        </div>
      )}
    </>
  );
}

// The whole stored output of a call, fetched piece by piece when somebody asks for it.
import { usePanel, useRemembered } from '../panel';
import { showOutput } from '../text/visible';
import { LinkButton } from '../ui/controls';
import { formatCount } from '../text/format';

interface Loaded {
  readonly text: string;
  readonly next: number;
  readonly bytes: number;
  readonly isLoading: boolean;
}

const NOTHING: Loaded = { text: '', next: 0, bytes: 0, isLoading: false };

/** `moreChars` is what the display beside it leaves out. */
export function WholeOutput({ call, moreChars }: { readonly call: string; readonly moreChars: number }) {
  const { actions } = usePanel();
  const loaded = useRemembered(`output ${call}`, NOTHING);
  const { text, next, bytes, isLoading } = loaded.value;

  const load = async () => {
    if (loaded.value.isLoading) return;
    const before = loaded.value;
    loaded.value = { ...before, isLoading: true };
    const piece = await actions.readOutput(call, before.next);
    loaded.value = piece
      ? { text: before.text + piece.text, next: piece.next, bytes: piece.bytes, isLoading: false }
      : { ...before, isLoading: false };
  };

  const isStarted = next > 0;
  if (!isStarted && moreChars <= 0) return null;
  return (
    <>
      {isStarted && (
        <pre class="output whole" tabIndex={0} role="group" aria-label="Whole output">
          {showOutput(text)}
        </pre>
      )}
      {(!isStarted || next < bytes) && (
        <div class="card-actions">
          <LinkButton onClick={() => void load()}>
            {isLoading
              ? 'Loading…'
              : isStarted
                ? `Show more (${formatCount(bytes - next)} bytes left)`
                : 'Show the whole output'}
          </LinkButton>
          {!isStarted && <span class="dim">{formatCount(moreChars)} more characters</span>}
        </div>
      )}
    </>
  );
}

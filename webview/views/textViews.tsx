// What was said: the person's prompts, the model's text and its thinking.
import { useEffect } from 'preact/hooks';
import type { PromptRow, TextRow, ThinkingRow } from '../../src/common/rows';
import { Markdown } from '../markdown/markdown';
import { MARKDOWN_MAX_CHARS } from '../markdown/parser';
import { usePanel, useRemembered } from '../panel';
import { missingChars, type LongRow } from '../rows';
import { countOf, formatCount } from '../text/format';
import { showHidden } from '../text/visible';
import { IconButton, LinkButton } from '../ui/controls';
import { CopyButton } from '../ui/copyButton';
import { Disclosure } from '../ui/disclosure';
import { Icon } from '../ui/icon';

const HEADING_CHARS = 80;
/** A prompt longer than this is folded, in lines and in characters. */
const FOLDED_LINES = 12;
const FOLDED_CHARS = 1_200;

export function PromptView({ row }: { readonly row: PromptRow }) {
  const { actions } = usePanel();
  const isOpen = useRemembered(`open ${row.id}`, false);
  const text = showHidden(row.text);
  const isLong = row.chars > FOLDED_CHARS || row.text.split('\n').length > FOLDED_LINES;
  return (
    <>
      <h2 class="hidden-words">You: {text.slice(0, HEADING_CHARS)}</h2>
      <div class={`prompt-text ${isLong && !isOpen.value ? 'folded' : ''}`} dir="auto">
        {text}
      </div>
      {row.images > 0 && <p class="dim">{countOf(row.images, 'picture')} attached</p>}
      {isLong && (
        <LinkButton onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Show less' : 'Show all'}
        </LinkButton>
      )}
      {(isOpen.value || !isLong) && <Rest row={row} maxChars={MARKDOWN_MAX_CHARS} />}
      <div class="hover-actions">
        <IconButton icon="discard" label="Rewind to here" onClick={() => actions.rewind(row.turn)} />
      </div>
    </>
  );
}

export function TextView({ row }: { readonly row: TextRow }) {
  return (
    <>
      <Markdown text={row.text} streaming={row.streaming} />
      <Rest row={row} maxChars={MARKDOWN_MAX_CHARS} />
      {row.interrupted && (
        <p class="dim">
          <Icon name="debug-disconnect" /> The answer was cut off here.
        </p>
      )}
      {!row.streaming && (
        <div class="hover-actions">
          <CopyButton label="Copy as markdown" text={() => row.text} />
        </div>
      )}
    </>
  );
}

export function ThinkingView({ row }: { readonly row: ThinkingRow }) {
  const isOpen = useRemembered(`open ${row.id}`, false);
  return (
    <div class="thinking">
      <Disclosure isOpen={isOpen}>
        <span class={row.streaming ? 'shimmer' : ''}>{row.streaming ? 'Thinking…' : 'Thought'}</span>
      </Disclosure>
      {isOpen.value && (
        <div class="thinking-text">
          <Markdown text={row.text} streaming={row.streaming} />
          <Rest row={row} maxChars={MARKDOWN_MAX_CHARS} />
        </div>
      )}
    </div>
  );
}

/** Fetches what is missing of a long text by itself up to a bound, and beyond it when asked. */
function Rest({ row, maxChars }: { readonly row: LongRow; readonly maxChars: number }) {
  const { actions } = usePanel();
  const missing = missingChars(row);
  const isWanted = missing > 0 && row.text.length < maxChars;
  useEffect(() => {
    if (isWanted) void actions.loadText(row.id, maxChars);
  }, [isWanted, row.id, maxChars, actions]);
  if (missing === 0) return null;
  if (isWanted) return <p class="dim">Loading the rest…</p>;
  return (
    <LinkButton onClick={() => void actions.loadText(row.id, row.text.length + maxChars)}>
      Show more ({formatCount(missing)} characters left)
    </LinkButton>
  );
}

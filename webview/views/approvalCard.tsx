// Asks the person to allow a call. Nothing of what is allowed may stay unseen, and no key pressed for something else may allow it.
import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { PermissionAsk } from '../../src/common/asks';
import type { Display } from '../../src/common/display';
import type { ToolRow } from '../../src/common/rows';
import { DisplayView } from '../displays/displayView';
import { usePanel, useRemembered } from '../panel';
import { countOf } from '../text/format';
import { showBlankRuns, showHidden } from '../text/visible';
import { Button, LinkButton, TextField } from '../ui/controls';
import { Icon } from '../ui/icon';
import { useAnswering } from './answering';

/** A click or key already on its way when the card appears must not count. Source: [S88]. */
const ARM_MS = 500;

export function ApprovalCard({ row, ask }: { readonly row: ToolRow; readonly ask: PermissionAsk }) {
  const { actions } = usePanel();
  const id = useId();
  const { card, isAnswered, answer } = useAnswering(ask.id);
  const end = useRef<HTMLDivElement>(null);
  const note = useRemembered(`note ${ask.id}`, '');
  const isDiffOpened = useRemembered(`opened ${ask.id}`, false);
  const isArmed = useArmed();
  const isSeen = useSeen(`seen ${ask.id}`, end);
  const grant = ask.grants?.[0];
  const left = ask.preview ? leftOut(ask.preview) : undefined;
  const isWhole = left === undefined || isDiffOpened.value;
  const canAllow = isArmed && isSeen && isWhole && !isAnswered;

  const allow = (decision: 'once' | 'session') => {
    if (canAllow) void answer({ kind: 'permission', decision });
  };
  const deny = () => {
    const words = note.value.trim();
    void answer({ kind: 'permission', decision: 'deny', ...(words && { note: words }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    allow('once');
  };

  return (
    <div class="ask" ref={card} role="group" aria-labelledby={`${id}-title`} onKeyDown={onKeyDown}>
      <h3 class="ask-title" id={`${id}-title`} dir="auto">
        <Icon name="shield" /> Allow Lathe to do this?
        {/* The head above shows the title on one line, cut where it is too long. */}
        {(!ask.preview || ask.title !== row.title) && (
          <span class="ask-what"> {showBlankRuns(showHidden(ask.title || row.title))}</span>
        )}
      </h3>
      {ask.agent !== undefined && <p class="dim">Asked by the sub-agent “{showHidden(ask.agent)}”.</p>}
      {ask.reasons.length > 0 && (
        <ul class="reasons plain-list">
          {ask.reasons.map((reason) => (
            <li key={reason} dir="auto">
              <Icon name="warning" /> {showBlankRuns(showHidden(reason))}
            </li>
          ))}
        </ul>
      )}
      <div class="preview" tabIndex={0} role="group" aria-label="What will be done">
        {ask.preview && <DisplayView display={ask.preview} call={row.call} wholeChars={0} place="approval" />}
        <div class="preview-end" ref={end} />
      </div>
      {left && (
        <p class="problem">
          {left.words} not shown here.{' '}
          <LinkButton
            onClick={() => {
              // Counted even when the editor could not open it: the person is told so, and may still decide.
              void actions.openDiff(row.call, left.path).finally(() => (isDiffOpened.value = true));
            }}
          >
            Open the whole change
          </LinkButton>{' '}
          before you allow it.
        </p>
      )}
      <div class="ask-actions">
        <TextField
          label="What Lathe should do instead; sent with Deny"
          placeholder="Deny with a note (optional)"
          value={note.value}
          onInput={(value) => (note.value = value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey)
              return;
            if (note.value.trim() !== '') deny();
          }}
        />
        <div class="buttons">
          <Button
            look="primary"
            disabled={!canAllow}
            onClick={() => allow('once')}
            title="Ctrl+Enter or Cmd+Enter in this card"
          >
            Allow once
          </Button>
          {grant && (
            <Button disabled={!canAllow} onClick={() => allow('session')} title={showHidden(grant.rule)}>
              Allow for session: {showHidden(grant.label)}
            </Button>
          )}
          <Button disabled={isAnswered} onClick={deny}>
            Deny
          </Button>
        </div>
        {!isSeen && <p class="dim">Scroll to the end of what will be done to allow it.</p>}
      </div>
    </div>
  );
}

function useArmed(): boolean {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARM_MS);
    return () => clearTimeout(timer);
  }, []);
  return isArmed;
}

/** True once the end of the preview has been on the screen: in its own box, in the transcript, in a page that is shown. */
function useSeen(key: string, end: RefObject<HTMLDivElement | null>): boolean {
  const isSeen = useRemembered(key, false);
  useEffect(() => {
    if (!end.current || isSeen.peek()) return;
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      isSeen.value = true;
      sight.disconnect();
    });
    sight.observe(end.current);
    return () => sight.disconnect();
  }, [end, isSeen]);
  return isSeen.value;
}

/** What a preview had to leave out to fit its message, and where the whole of it can be opened. */
function leftOut(preview: Display): { readonly words: string; readonly path: string } | undefined {
  if (preview.kind !== 'diff') return undefined;
  const { files, moreFiles = 0 } = preview;
  const cut = files.find(({ moreHunks = 0 }) => moreHunks > 0);
  const path = (cut ?? files[0])?.path;
  if (path === undefined || (!cut && moreFiles === 0)) return undefined;
  const hunks = files.reduce((sum, { moreHunks = 0 }) => sum + moreHunks, 0);
  const words = [
    ...(hunks > 0 ? [countOf(hunks, 'more change')] : []),
    ...(moreFiles > 0 ? [countOf(moreFiles, 'more file')] : []),
  ];
  return { words: `${words.join(' and ')} ${hunks + moreFiles === 1 ? 'is' : 'are'}`, path };
}

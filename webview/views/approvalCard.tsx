// Asks the person to allow a call. Nothing of what is allowed may stay unseen, and no key pressed for something else may allow it.
import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { AskAnswer, PermissionAsk } from '../../src/common/asks';
import type { Display } from '../../src/common/display';
import type { ToolRow } from '../../src/common/rows';
import { DisplayView } from '../displays/displayView';
import { usePanel, useRemembered } from '../panel';
import { countOf } from '../text/format';
import { showBlankRuns, showHidden } from '../text/visible';
import { Button, LinkButton, TextField } from '../ui/controls';
import { Disclosure } from '../ui/disclosure';
import { Icon } from '../ui/icon';
import { useAnswering } from './answering';
import { ChangeCommand } from './askChange';
import { AskGrants } from './askGrants';
import { AskParts, AskReasons } from './askParts';

/** A click or key already on its way when the card appears must not count. Source: [S88]. */
const ARM_MS = 500;

export function ApprovalCard({ row, ask }: { readonly row: ToolRow; readonly ask: PermissionAsk }) {
  const { actions } = usePanel();
  const id = useId();
  const { card, isAnswered, answer, applyProposal } = useAnswering(ask.id);
  const end = useRef<HTMLDivElement>(null);
  const note = useRemembered(`note ${ask.id}`, '');
  const isOpened = useRemembered(`opened ${ask.id}`, false);
  const hasGrantsOpen = useRemembered(`grants ${ask.id}`, false);
  /** What the person makes of the command; of a file only that they are at it, since its text is in an editor. */
  const changed = useRemembered<string | undefined>(`changed ${ask.id}`, undefined);
  const mine = changed.value;
  const isArmed = useArmed();
  const isSeen = useSeen(`seen ${ask.id}`, end);
  const { proposal, grants = [], digest } = ask;
  const preview = wholePreview(ask);
  const left = leftOut(ask);
  const isWhole = left === undefined || isOpened.value;
  const canAllow = isArmed && isSeen && isWhole && !isAnswered;
  const isChanging = mine !== undefined;
  const isInEditor = proposal !== undefined && (proposal.kind === 'file' || proposal.text === undefined);
  const mayLast = grants.length > 0 && !isChanging;
  const isBlank = isChanging && !isInEditor && mine.trim() === '';

  const send = (given: Omit<Extract<AskAnswer, { kind: 'permission' }>, 'kind' | 'digest'>) =>
    void answer({ kind: 'permission', ...given, ...(digest !== undefined && { digest }) });
  const allow = () => {
    if (!canAllow || isBlank) return;
    if (isChanging && isInEditor) return void applyProposal(digest ?? '');
    const isSame = proposal?.kind === 'command' && mine === proposal.text;
    send({ decision: 'once', ...(isChanging && !isSame && { changed: mine }) });
  };
  const deny = () => {
    const words = note.value.trim();
    send({ decision: 'deny', ...(words && { note: words }) });
  };
  const openInEditor = async () => {
    if (!(await actions.openProposal(ask.id))) return;
    changed.value = '';
    isOpened.value = true;
  };
  const change = () => {
    if (isInEditor) return void openInEditor();
    changed.value = proposal?.text;
    // When it has been drawn. Only here: a card that comes back into view takes no focus.
    requestAnimationFrame(() => card.current?.querySelector('textarea')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    allow();
  };

  return (
    <div class="ask" ref={card} role="group" aria-labelledby={`${id}-title`} onKeyDown={onKeyDown}>
      <h3 class="ask-title" id={`${id}-title`} dir="auto">
        <Icon name="shield" /> Allow Lathe to do this?
        {/* The head above shows the title on one line, cut where it is too long. */}
        {(!preview || ask.title !== row.title) && (
          <span class="ask-what"> {showBlankRuns(showHidden(ask.title || row.title))}</span>
        )}
      </h3>
      {ask.agent !== undefined && <p class="dim">Asked by the sub-agent “{showHidden(ask.agent)}”.</p>}
      <AskReasons ask={ask} />
      <AskParts ask={ask} />
      <div class="preview" tabIndex={0} role="group" aria-label="What will be done">
        {preview && <DisplayView display={preview} call={row.call} wholeChars={0} place="approval" />}
        <div class="preview-end" ref={end} />
      </div>
      {left && (
        <p class="problem">
          {left.words} not shown here.{' '}
          <LinkButton
            onClick={() => {
              if (left.path === undefined) return void openInEditor();
              // Counted even when the editor could not open it: the person is told so, and may still decide.
              void actions.openDiff(row.call, left.path).finally(() => (isOpened.value = true));
            }}
          >
            {left.path === undefined ? 'Open the whole command' : 'Open the whole change'}
          </LinkButton>{' '}
          before you allow it.
        </p>
      )}
      {isChanging && !isInEditor && <ChangeCommand text={mine} onInput={(text) => (changed.value = text)} />}
      {isChanging && isInEditor && (
        <p role="status">
          It is open in the editor: change the text there, then apply it here. Nothing has to be saved.
        </p>
      )}
      <div class="ask-actions">
        <TextField
          label="What Lathe should do instead; sent with Deny"
          placeholder="Deny with a note (optional)"
          value={note.value}
          onInput={(value) => (note.value = value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Words for a denial: no key in here allows.
            event.stopPropagation();
            if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey) return;
            if (note.value.trim() !== '') deny();
          }}
        />
        <div class="buttons">
          <Button
            look="primary"
            disabled={!canAllow || isBlank}
            onClick={allow}
            title="Ctrl+Enter or Cmd+Enter in this card"
          >
            {isChanging ? (isInEditor ? 'Apply my version' : 'Run my version') : 'Allow once'}
          </Button>
          <Button disabled={isAnswered} onClick={deny}>
            Deny
          </Button>
          {proposal && (
            <Button disabled={isAnswered} onClick={() => (isChanging ? (changed.value = undefined) : change())}>
              {isChanging ? 'Back to the proposed one' : 'Change…'}
            </Button>
          )}
          {mayLast && <Disclosure isOpen={hasGrantsOpen}>Allow for longer…</Disclosure>}
        </div>
        {mayLast && hasGrantsOpen.value && (
          <AskGrants
            grants={grants}
            disabled={!canAllow}
            onKeep={(grant, decision) => {
              if (canAllow) send({ decision, ...(grant > 0 && { grant }) });
            }}
          />
        )}
        {!isSeen && <p class="dim">Scroll to the end of what will be done{lengthOf(preview)} to allow it.</p>}
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

/** A display is bounded; the command that the ask carries is whole. */
function wholePreview({ preview, proposal }: PermissionAsk): Display | undefined {
  if (preview?.kind !== 'shell' || proposal?.kind !== 'command' || proposal.text === undefined) return preview;
  return { ...preview, command: proposal.text };
}

/** How much there is to read, so that nobody takes the part in view for all of it. */
function lengthOf(preview: Display | undefined): string {
  if (preview?.kind !== 'shell') return '';
  const lines = preview.command.split('\n').length;
  return lines > 1 ? ` (${countOf(lines, 'line')})` : ` (${countOf(preview.command.length, 'character')})`;
}

/** What is not shown in the card, and where the whole of it can be opened; without a path it is the proposal. */
function leftOut({ preview, proposal }: PermissionAsk): { readonly words: string; readonly path?: string } | undefined {
  if (proposal?.kind === 'command' && proposal.text === undefined) return { words: 'A part of the command is' };
  if (preview?.kind !== 'diff') return undefined;
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

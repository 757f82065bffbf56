// The card of a tool call: what it does, where it stands, what it shows, and what it needs from the person.
import type { AskAnswer } from '../../src/common/asks';
import type { Display } from '../../src/common/display';
import { MAIN_AGENT, type ToolKind } from '../../src/common/events';
import type { ToolRow, ToolState } from '../../src/common/rows';
import { isSettled } from '../../src/common/rows';
import { DisplayView } from '../displays/displayView';
import { summarize } from '../displays/summary';
import { WholeOutput } from '../displays/wholeOutput';
import { usePanel } from '../panel';
import { formatCount, formatDuration, pastTense, presentTense } from '../text/format';
import { showBlankRuns, showHidden, showOutput } from '../text/visible';
import { LinkButton, Spinner } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ApprovalCard } from './approvalCard';
import { ChangedFiles } from './changedFiles';
import { Deeds } from './deeds';
import { QuestionCard } from './questionCard';

const KINDS: Readonly<Record<ToolKind, string>> = {
  read: 'file',
  edit: 'edit',
  search: 'search',
  shell: 'terminal',
  web: 'globe',
  agent: 'robot',
  plan: 'checklist',
  ask: 'question',
  other: 'tools',
};

const STATES: Readonly<Record<ToolState, { readonly icon: string; readonly word: string }>> = {
  streaming: { icon: 'loading', word: 'Writing' },
  waiting: { icon: 'watch', word: 'Waiting' },
  asking: { icon: 'shield', word: 'Needs you' },
  running: { icon: 'loading', word: 'Running' },
  done: { icon: 'check', word: 'Done' },
  failed: { icon: 'error', word: 'Failed' },
  denied: { icon: 'circle-slash', word: 'Denied' },
  stopped: { icon: 'stop-circle', word: 'Stopped' },
};

/** Its call is answered. */
const IN_BACKGROUND = { icon: 'loading', word: 'In the background' };

/** Shorter runs are not worth a number. */
const TELLING_MS = 1_000;

export function ToolView({ row }: { readonly row: ToolRow }) {
  const { store } = usePanel();
  const chosen = store.remember<boolean | undefined>(`open ${row.id}`, undefined);
  const { ask, state } = row;
  const hasOutput = row.display !== undefined || row.problem !== undefined || row.wholeChars > 0;
  const hasBody = hasOutput || ask !== undefined || row.changed !== undefined || row.deeds !== undefined;
  const isOpen = hasBody && (ask !== undefined || (chosen.value ?? isOpenAtFirst(row)));
  const title = showHidden(titleOf(row));
  return (
    <section
      class={`tool ${state}`}
      role="group"
      aria-label={`${title}: ${(row.background ? IN_BACKGROUND : STATES[state]).word}`}
    >
      <button
        type="button"
        class="tool-head"
        aria-expanded={hasBody ? isOpen : undefined}
        disabled={!hasBody || ask !== undefined}
        onClick={() => (chosen.value = !isOpen)}
      >
        <Icon name={hasBody ? (isOpen ? 'chevron-down' : 'chevron-right') : KINDS[row.kind]} class="lead" />
        {row.agent !== MAIN_AGENT && <span class="agent-name">{showHidden(row.agent)}</span>}
        <span class="tool-title" dir="auto" title={title}>
          {title}
        </span>
        {row.display && <span class={`tool-summary ${isBad(row.display) ? 'bad' : ''}`}>{summarize(row.display)}</span>}
        <span class="spring" />
        <StateMark row={row} />
      </button>
      {isOpen && <ToolBody row={row} />}
    </section>
  );
}

/** A command that went wrong is a call that went well: its outcome has to stand out by itself. */
function isBad(display: Display): boolean {
  return display.kind === 'shell' && display.exit !== undefined && display.exit.code !== 0;
}

function titleOf({ title, tool, state }: ToolRow): string {
  const words = title || tool;
  if (state === 'done') return pastTense(words);
  return state === 'running' ? presentTense(words) : words;
}

/** Reading and searching stay out of the way; changes, commands and trouble are what a person looks for. */
function isOpenAtFirst({ state, display, kind }: ToolRow): boolean {
  if (state === 'failed' || state === 'denied') return true;
  if (!display) return false;
  return display.kind === 'diff' || display.kind === 'shell' || display.kind === 'questions' || kind === 'ask';
}

function StateMark({ row }: { readonly row: ToolRow }) {
  const { state, inputChars, durationMs, background } = row;
  const { icon, word } = background ? IN_BACKGROUND : STATES[state];
  const isQuiet = state === 'done' && !background;
  return (
    <span class="tool-state">
      {durationMs !== undefined && durationMs >= TELLING_MS && <span class="dim">{formatDuration(durationMs)}</span>}
      <span class={isQuiet ? 'hidden-words' : 'state-word'}>
        {word}
        {state === 'streaming' && inputChars > 0 && ` ${formatCount(inputChars)}`}
      </span>
      {icon === 'loading' ? <Spinner /> : <Icon name={icon} class="state-icon" />}
    </span>
  );
}

/** What can be done with this one run, while the turn goes on. */
function RunActions({ row }: { readonly row: ToolRow }) {
  const { actions } = usePanel();
  const { call, state, mayGoOn, background } = row;
  const isWaitedFor = state === 'running' && mayGoOn;
  if (!isWaitedFor && !background) return null;
  return (
    <div class="card-actions">
      {isWaitedFor && <LinkButton onClick={() => actions.releaseRun(call)}>Continue in background</LinkButton>}
      <LinkButton onClick={() => actions.stopRun(call)}>Stop command</LinkButton>
    </div>
  );
}

function ToolBody({ row }: { readonly row: ToolRow }) {
  const { ask, answer, display, problem, call } = row;
  if (ask?.kind === 'permission') return <ApprovalCard key={ask.id} row={row} ask={ask} />;
  if (ask?.kind === 'question') return <QuestionCard key={ask.id} ask={ask} />;
  return (
    <div class="tool-body">
      {answer && <Answer answer={answer} kept={row.kept} />}
      {problem !== undefined && problem !== '' && !isDenial(answer) && (
        <p class="problem">{showBlankRuns(showOutput(problem))}</p>
      )}
      {display && (
        <DisplayView
          display={display}
          call={call}
          wholeChars={row.wholeChars}
          place={isUnrun(row) ? 'unrun' : 'card'}
        />
      )}
      {!display && isSettled(row.state) && <WholeOutput call={call} moreChars={row.wholeChars} />}
      <RunActions row={row} />
      {row.deeds && <Deeds deeds={row.deeds} />}
      {row.changed && <ChangedFiles call={call} files={row.changed} />}
      {row.allowedBy !== undefined && !answer && (
        <p class="dim allowed-by" dir="auto">
          Allowed by {showBlankRuns(showHidden(row.allowedBy))}
        </p>
      )}
    </div>
  );
}

const DECISIONS = {
  once: 'You allowed this once.',
  session: 'You allowed this for the session:',
  always: 'You allowed this for good:',
  deny: 'You denied this.',
};

const CHANGED = 'You changed this and allowed your version once.';

/** Nobody allowed it, so that there is neither an output nor a terminal. */
function isUnrun({ answer }: ToolRow): boolean {
  return answer?.kind === 'dismissed' || isDenial(answer);
}

/** The person's own no; what the model is told about it is of no use to them. */
function isDenial(answer: AskAnswer | undefined): boolean {
  return answer?.kind === 'permission' && answer.decision === 'deny';
}

function Answer({ answer, kept }: { readonly answer: AskAnswer; readonly kept: string | undefined }) {
  if (answer.kind !== 'permission') return null;
  return (
    <p class="dim" dir="auto">
      {answer.changed === undefined ? DECISIONS[answer.decision] : CHANGED}
      {kept !== undefined && (
        <>
          {' '}
          <code class="rule">{showBlankRuns(showHidden(kept))}</code>
        </>
      )}
      {answer.note && ` “${showHidden(answer.note)}”`}
    </p>
  );
}

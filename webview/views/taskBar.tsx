// What goes on in the background and what has just ended there: how far it is, its last lines, and what can be done with it.
import { useEffect, useState } from 'preact/hooks';
import type { Task } from '../../src/common/tasks';
import { WholeOutput } from '../displays/wholeOutput';
import { usePanel, useRemembered } from '../panel';
import { countOf, formatDuration } from '../text/format';
import { showHidden, showOutput } from '../text/visible';
import { LinkButton, Spinner } from '../ui/controls';
import { Disclosure } from '../ui/disclosure';
import { Icon } from '../ui/icon';

const TICK_MS = 1_000;
const TAIL_LINES = 12;

export function TaskBar() {
  const { store } = usePanel();
  const isOpen = useRemembered('open tasks', false);
  const tasks = store.panel.value?.tasks ?? [];
  const running = tasks.filter(({ state }) => state === 'running').length;
  const words = [
    ...(running > 0 ? [`${countOf(running, 'command')} in the background`] : []),
    ...(tasks.length > running ? [`${tasks.length - running} ended`] : []),
  ].join(', ');
  return (
    <>
      {/* There before its words are: a region that comes with them is not read out. */}
      <div class="hidden-words" role="status" aria-label="Commands in the background">
        {words}
      </div>
      {tasks.length > 0 && (
        <section class="task-bar" aria-label="Background">
          <Disclosure isOpen={isOpen}>
            <span class="todo-count">{words}</span>
          </Disclosure>
          {isOpen.value && (
            <ul class="task-list plain-list">
              {tasks.map((task) => (
                <TaskItem key={task.id} task={task} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}

function TaskItem({ task }: { readonly task: Task }) {
  const { actions } = usePanel();
  const { id, title, state, startedAt, endedAt, moreChars } = task;
  const nowMs = useNow(state === 'running');
  const written = task.tail.trimEnd();
  const shown = written.split('\n').slice(-TAIL_LINES).join('\n');
  const text = showOutput(shown);
  const name = showHidden(title);
  return (
    <li class="task">
      <div class="task-head">
        {state === 'running' ? <Spinner /> : <Icon name={task.exitCode === 0 ? 'check' : 'circle-slash'} />}
        <span class="task-title" dir="auto" title={name}>
          {name}
        </span>
        <span class="spring" />
        <span class="dim">{endingOf(task)}</span>
        <span class="dim">{formatDuration(Math.max(0, (endedAt ?? nowMs) - startedAt))}</span>
      </div>
      {text !== '' && (
        <pre class="output tail" tabIndex={0} role="group" aria-label={`Last lines of ${name}`}>
          {text}
        </pre>
      )}
      <WholeOutput call={id} moreChars={moreChars + written.length - shown.length}>
        {state === 'running' && (
          <LinkButton title={`Stop ${name}`} onClick={() => actions.stopRun(id)}>
            Stop
          </LinkButton>
        )}
        <LinkButton onClick={() => actions.showTerminal(id)}>Show terminal</LinkButton>
      </WholeOutput>
    </li>
  );
}

function endingOf({ state, exitCode, status }: Task): string {
  if (state === 'running') return '';
  if (status === 'stopped') return 'stopped';
  return exitCode === undefined || exitCode === null ? (status ?? '') : `exit code ${exitCode}`;
}

/** The time, each second while it is needed. */
function useNow(isNeeded: boolean): number {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return nowMs;
}

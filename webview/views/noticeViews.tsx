// What is said about a turn: notices and errors, waiting for another attempt, how it ended.
import { useEffect, useState } from 'preact/hooks';
import type { TurnEnd } from '../../src/common/events';
import type { EndRow, NoticeRow, RetryRow } from '../../src/common/rows';
import { usePanel } from '../panel';
import { formatCount, formatDuration } from '../text/format';
import { showHidden } from '../text/visible';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';

const TICK_MS = 250;
const LEVELS: Readonly<Record<NoticeRow['level'], { readonly icon: string; readonly word: string }>> = {
  info: { icon: 'info', word: 'Note' },
  warning: { icon: 'warning', word: 'Warning' },
  error: { icon: 'error', word: 'Error' },
};

export function NoticeView({ row }: { readonly row: NoticeRow }) {
  const { actions } = usePanel();
  const { icon, word } = LEVELS[row.level];
  const { action } = row;
  return (
    <div class={`notice ${row.level}`}>
      <Icon name={icon} />
      <div class="notice-words" dir="auto">
        <span class="hidden-words">{word}: </span>
        {showHidden(row.text)}
      </div>
      {action && <Button onClick={() => actions.runCommand(action.command)}>{action.title}</Button>}
    </div>
  );
}

export function RetryView({ row }: { readonly row: RetryRow }) {
  const { actions } = usePanel();
  const { attempt, attempts, reason, until } = row;
  if (until === undefined) {
    return (
      <div class="notice past">
        <Icon name="refresh" />
        <div class="notice-words">
          {showHidden(reason)} Tried again (attempt {attempt} of {attempts}).
        </div>
      </div>
    );
  }
  return (
    <div class="notice warning">
      <Icon name="refresh" />
      <div class="notice-words">
        {showHidden(reason)} <Countdown until={until} /> (attempt {attempt} of {attempts})
      </div>
      <Button onClick={() => actions.stop()}>Stop</Button>
    </div>
  );
}

function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <span role="timer" class="countdown">
      {seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again now'}
    </span>
  );
}

const ENDS: Readonly<Record<TurnEnd, { readonly icon: string; readonly words: string }>> = {
  done: { icon: 'check', words: 'Done' },
  stopped: { icon: 'stop-circle', words: 'Stopped' },
  refused: { icon: 'circle-slash', words: 'The model refused to go on' },
  blocked: { icon: 'circle-slash', words: 'Not sent: a hook blocked the prompt' },
  output_limit: { icon: 'warning', words: 'The answer reached its length limit' },
  context_limit: { icon: 'warning', words: 'The conversation no longer fits the model: start a new session' },
  repetition: { icon: 'warning', words: 'Ended because it went in circles' },
  failed: { icon: 'error', words: 'Ended by an error' },
};

export function EndView({ row }: { readonly row: EndRow }) {
  const { icon, words } = ENDS[row.end];
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = row.usage;
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  const details = `${read.toLocaleString('en')} tokens in (${cacheReadTokens.toLocaleString('en')} from the cache), ${outputTokens.toLocaleString('en')} out`;
  return (
    <div class={`end ${row.end}`}>
      <Icon name={icon} /> <span>{words}</span>
      <span class="dim" title={details}>
        {formatDuration(row.durationMs)}
        {read + outputTokens > 0 && ` · ${formatCount(read + outputTokens)} tokens`}
      </span>
    </div>
  );
}

// Keeps the store in step with the host: events in order and once per frame, a fresh page after a gap or a switch.
import type { HostEvent, HostEventBody } from '../src/common/protocol';
import type { Channel } from './bridge';
import type { PanelStore } from './state';

/** When frames are not drawn, because the page is hidden, changes are still taken in. */
const HIDDEN_FRAME_MS = 250;

export interface Sync {
  /** Asks for the last page; everything later follows by events. */
  load(): Promise<void>;
}

export function keepInStep(channel: Channel, store: PanelStore, nextFrame = onNextFrame): Sync {
  /** Of the last event taken; undefined while a page is awaited. */
  let seq: number | undefined;
  let early: HostEvent[] = [];
  let due: HostEventBody[] = [];
  let loads = 0;

  const flush = () => {
    const bodies = due;
    due = [];
    if (bodies.length > 0) store.apply(bodies);
  };

  const load = async (sessionId: string | undefined): Promise<void> => {
    const own = ++loads;
    seq = undefined;
    try {
      const answer = await readyOrCurrent(channel, sessionId);
      // A later load has been started since: its answer counts.
      if (own !== loads) return;
      flush();
      store.reset(answer.state, answer.page, draftOf(channel, answer.state.sessionId) ?? answer.draft);
      seq = answer.seq;
      const waiting = early;
      early = [];
      // The page holds what such an event changed, but for what the person did elsewhere.
      for (const event of waiting) if (event.seq > answer.seq || isInNoPage(event)) take(event, 'late');
    } catch (problem) {
      if (own !== loads) return;
      store.failure.value = problem instanceof Error ? problem.message : String(problem);
    }
  };

  const take = (event: HostEvent, when: 'live' | 'late' = 'live'): void => {
    if (event.type === 'session/switched') {
      early = early.filter(isInNoPage);
      void load(event.sessionId);
      return;
    }
    if (seq === undefined) {
      early.push(event);
      return;
    }
    if (event.seq <= seq && when === 'live') return;
    if (isReload(event)) {
      void load(store.panel.peek()?.sessionId).then(() => store.announceNotice());
      return;
    }
    if (event.seq > seq + 1) {
      early = [event];
      void load(store.panel.peek()?.sessionId);
      return;
    }
    seq = Math.max(seq, event.seq);
    due.push(event);
    if (due.length === 1) nextFrame(flush);
  };

  channel.onEvent((event) => take(event));
  return { load: () => load(channel.load()?.sessionId) };
}

/** A session that cannot be opened any more must not keep the panel from opening: the current one is shown then. */
async function readyOrCurrent(channel: Channel, sessionId: string | undefined) {
  if (sessionId === undefined) return channel.request('panel/ready', {});
  return channel.request('panel/ready', { sessionId }).catch(() => channel.request('panel/ready', {}));
}

function isReload(event: HostEvent): boolean {
  return event.type === 'rows' && event.changes.some(({ type }) => type === 'reload');
}

function isInNoPage({ type }: HostEvent): boolean {
  return type === 'composer/insert' || type === 'composer/focus' || type === 'row/reveal';
}

function draftOf(channel: Channel, sessionId: string): string | undefined {
  const saved = channel.load();
  return saved?.sessionId === sessionId ? saved.draft : undefined;
}

function onNextFrame(draw: () => void): void {
  let isDrawn = false;
  const once = () => {
    if (isDrawn) return;
    isDrawn = true;
    draw();
  };
  requestAnimationFrame(once);
  setTimeout(once, HIDDEN_FRAME_MS);
}

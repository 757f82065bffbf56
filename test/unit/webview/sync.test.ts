// Staying in step with the host: order, gaps, switches, and what must not get lost in between.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { HostEvent, HostEventBody, PanelState } from '../../../src/common/protocol';
import type { Channel, Saved } from '../../../webview/bridge';
import { PanelStore } from '../../../webview/state';
import { keepInStep } from '../../../webview/sync';

function stateOf(sessionId: string): PanelState {
  const counts = { contextTokens: 0, contextWindow: 0 };
  return {
    sessionId,
    running: false,
    mode: 'ask',
    model: 'm',
    isDemo: false,
    isRestricted: false,
    hasWorkspace: true,
    todos: [],
    review: { listed: [], files: 0, added: 0, removed: 0 },
    tasks: [],
    ...counts,
  };
}

function rows(...ids: readonly string[]): HostEventBody {
  const base = { turn: 't1', agent: 'main', type: 'notice', level: 'info' } as const;
  return { type: 'rows', changes: ids.map((id) => ({ type: 'upsert', row: { ...base, id, text: id } })) };
}

/** A host behind a channel, at the page's end of it: holds ids, answers `panel/ready` when told to. */
function openHost(saved?: Saved) {
  const ready: {
    sessionId: string | undefined;
    answer: (held: readonly string[], seq: number, session?: string) => void;
    refuse: () => void;
  }[] = [];
  let listener: (event: HostEvent) => void = () => {};
  const channel: Channel = {
    request: (name, payload) =>
      new Promise((resolve, reject) => {
        assert.equal(name, 'panel/ready');
        const { sessionId } = payload as { sessionId?: string };
        ready.push({
          sessionId,
          answer: (held, seq, session = 's1') => {
            const base = { turn: 't1', agent: 'main', type: 'notice', level: 'info' } as const;
            const page = { rows: held.map((id) => ({ ...base, id, text: id })), more: false };
            resolve({ state: stateOf(session), page, seq, draft: `draft of ${session}` } as never);
          },
          refuse: () => reject(new Error('There is no such session.')),
        });
      }),
    onEvent: (next) => {
      listener = next;
    },
    load: () => saved,
    save: () => {},
  };
  const store = new PanelStore();
  const sync = keepInStep(channel, store, (draw) => draw());
  return {
    store,
    sync,
    ready,
    emit: (seq: number, body: HostEventBody) => listener({ seq, ...body }),
    ids: () => store.order.value.ids,
  };
}

describe('panel in step with the host', () => {
  it('shows the page, then what follows', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer(['a'], 4);
    await setImmediate();
    host.emit(5, rows('b'));
    host.emit(6, rows('c'));
    assert.deepEqual({ ids: host.ids(), asked: host.ready.length }, { ids: ['a', 'b', 'c'], asked: 1 });
  });

  it('takes events that come before the page, but not those the page holds already', async () => {
    const host = openHost();
    void host.sync.load();
    host.emit(4, rows('a'));
    host.emit(5, rows('b'));
    host.ready[0]?.answer(['a'], 4);
    await setImmediate();
    assert.deepEqual(host.ids(), ['a', 'b']);
  });

  it('asks for a page again after a gap, and goes on from there', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer(['a'], 1);
    await setImmediate();
    host.emit(3, rows('c'));
    host.emit(4, rows('d'));
    assert.deepEqual(host.ids(), ['a']);
    assert.equal(host.ready[1]?.sessionId, 's1');
    host.ready[1]?.answer(['a', 'b', 'c'], 3);
    await setImmediate();
    assert.deepEqual(host.ids(), ['a', 'b', 'c', 'd']);
  });

  it('#37: asks for the page where rows are gone, reads out why, and goes on from there', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer(['a', 'b', 'c'], 1);
    await setImmediate();
    host.emit(2, { type: 'rows', changes: [{ type: 'reload' }] });
    host.emit(3, { type: 'composer/insert', text: 'the prompt again' });
    host.ready[1]?.answer(['a', 'rewound'], 2);
    await setImmediate();
    const { draft, polite } = host.store;
    assert.deepEqual(
      { ids: host.ids(), draft: draft.value, polite: polite.value.text },
      { ids: ['a', 'rewound'], draft: 'draft of s1\n\nthe prompt again', polite: 'rewound' },
    );
  });

  it('text for the composer outlives a gap', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer([], 1);
    await setImmediate();
    host.emit(3, { type: 'composer/insert', text: 'from a command' });
    host.ready[1]?.answer([], 3);
    await setImmediate();
    assert.equal(host.store.draft.value, 'draft of s1\n\nfrom a command');
  });

  it('the row that is to be seen outlives the switch to its session', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer(['a'], 1);
    await setImmediate();
    host.emit(2, { type: 'session/switched', sessionId: 's2' });
    host.emit(3, { type: 'row/reveal', row: 'y' });
    host.ready[1]?.answer(['y'], 3, 's2');
    await setImmediate();
    assert.deepEqual([host.ids(), host.store.revealed.value], [['y'], { row: 'y' }]);
  });

  it('shows another session when the host says so', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.answer(['a'], 1);
    await setImmediate();
    host.emit(2, { type: 'session/switched', sessionId: 's2' });
    host.emit(3, rows('z'));
    assert.equal(host.ready[1]?.sessionId, 's2');
    host.ready[1]?.answer(['y'], 2, 's2');
    await setImmediate();
    assert.deepEqual({ ids: host.ids(), draft: host.store.draft.value }, { ids: ['y', 'z'], draft: 'draft of s2' });
  });

  it('only the answer to the last question counts', async () => {
    const host = openHost();
    void host.sync.load();
    host.emit(2, { type: 'session/switched', sessionId: 's2' });
    host.ready[1]?.answer(['y'], 2, 's2');
    host.ready[0]?.answer(['a'], 1, 's1');
    await setImmediate();
    assert.deepEqual(host.ids(), ['y']);
  });

  it('a session that is gone gives way to the current one, with its own draft', async () => {
    const host = openHost({ sessionId: 'gone', draft: 'old words' });
    void host.sync.load();
    assert.equal(host.ready[0]?.sessionId, 'gone');
    host.ready[0]?.refuse();
    await setImmediate();
    assert.equal(host.ready[1]?.sessionId, undefined);
    host.ready[1]?.answer(['a'], 1);
    await setImmediate();
    assert.deepEqual({ ids: host.ids(), draft: host.store.draft.value }, { ids: ['a'], draft: 'draft of s1' });
  });

  it('the page keeps what was typed last', async () => {
    const host = openHost({ sessionId: 's1', draft: 'typed last' });
    void host.sync.load();
    host.ready[0]?.answer([], 1);
    await setImmediate();
    assert.equal(host.store.draft.value, 'typed last');
  });

  it('says why nothing can be shown', async () => {
    const host = openHost();
    void host.sync.load();
    host.ready[0]?.refuse();
    await setImmediate();
    assert.equal(host.store.failure.value, 'There is no such session.');
  });
});

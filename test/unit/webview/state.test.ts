// What the panel knows after pages and events: order, numbers of rows, asks, drafts, what is read out.
import assert from 'node:assert/strict';
import type { PermissionAsk } from '../../../src/common/asks';
import type { HostEventBody, PanelState } from '../../../src/common/protocol';
import type { Row, ToolRow } from '../../../src/common/rows';
import { PanelStore } from '../../../webview/state';

const STATE: PanelState = {
  sessionId: 's1',
  running: false,
  mode: 'ask',
  model: 'm',
  isDemo: false,
  isRestricted: false,
  hasWorkspace: true,
  todos: [],
  contextTokens: 0,
  contextWindow: 0,
  review: { listed: [], files: 0, added: 0, removed: 0 },
  tasks: [],
};
const BASE = { turn: 't1', agent: 'main' };
const ASK: PermissionAsk = { kind: 'permission', id: 'a1', call: 'c1', tool: 'edit', title: 'Edit a.ts', reasons: [] };

function notice(id: string): Row {
  return { ...BASE, type: 'notice', id, level: 'info', text: id };
}

function tool(state: ToolRow['state'], ask?: PermissionAsk): ToolRow {
  const row: ToolRow = {
    ...BASE,
    type: 'tool',
    id: 'c1',
    call: 'c1',
    tool: 'edit',
    kind: 'edit',
    title: 'Edit a.ts',
    state,
    inputChars: 0,
    wholeChars: 0,
  };
  return ask ? { ...row, ask } : row;
}

function upsert(...rows: readonly Row[]): HostEventBody {
  return { type: 'rows', changes: rows.map((row) => ({ type: 'upsert', row })) };
}

function load(store: PanelStore, ids: readonly string[], more = false, state = STATE, draft = ''): void {
  store.reset(state, { rows: ids.map(notice), more }, draft);
}

describe('store of the panel', () => {
  function check(name: string, steps: (store: PanelStore) => void, expected: object): void {
    it(name, () => {
      const store = new PanelStore();
      steps(store);
      const { order, hasMore, asking, draft, polite, assertive } = store;
      const seen = { ...order.value, hasMore: hasMore.value, asking: asking.value, draft: draft.value };
      const said = { polite: polite.value.text, assertive: assertive.value.text };
      assert.deepEqual(
        { ...seen, ...said },
        { first: 0, ids: [], hasMore: false, asking: [], draft: '', polite: '', assertive: '', ...expected },
      );
    });
  }

  check('a page is shown in order', (store) => load(store, ['a', 'b'], true), { ids: ['a', 'b'], hasMore: true });

  check(
    'older rows come before, and each row keeps its number',
    (store) => {
      load(store, ['c', 'd'], true);
      store.addOlder({ rows: [notice('a'), notice('b')], more: false });
    },
    { first: -2, ids: ['a', 'b', 'c', 'd'] },
  );

  check(
    'a page without news is not asked for again',
    (store) => {
      load(store, ['a'], true);
      store.addOlder({ rows: [notice('a')], more: true });
    },
    { ids: ['a'] },
  );

  check(
    'after a gap older rows stay when the page touches them',
    (store) => {
      load(store, ['a', 'b', 'c'], true);
      load(store, ['c', 'd'], true);
    },
    { ids: ['a', 'b', 'c', 'd'], hasMore: true },
  );

  check(
    'after a gap that is longer than a page the page stands alone',
    (store) => {
      load(store, ['a', 'b']);
      load(store, ['x', 'y'], true);
    },
    { ids: ['x', 'y'], hasMore: true },
  );

  check(
    'another session replaces rows and draft',
    (store) => {
      load(store, ['a'], false, STATE, 'one');
      load(store, ['z'], false, { ...STATE, sessionId: 's2' }, 'two');
    },
    { ids: ['z'], draft: 'two' },
  );

  check(
    'a page of the same session leaves the draft alone',
    (store) => {
      load(store, ['a'], false, STATE, 'kept');
      load(store, ['a', 'b'], false, STATE, 'stale');
    },
    { ids: ['a', 'b'], draft: 'kept' },
  );

  check(
    'a new row goes to the end, a known one stays where it is',
    (store) => {
      load(store, ['a', 'b']);
      store.apply([upsert(notice('c'), notice('a'))]);
    },
    { ids: ['a', 'b', 'c'] },
  );

  check(
    'an ask is known while it waits, and read out',
    (store) => {
      load(store, []);
      store.apply([upsert(tool('asking', ASK))]);
    },
    { ids: ['c1'], asking: ['c1'], assertive: 'Lathe asks for approval: Edit a.ts' },
  );

  check(
    'an ask that was answered waits no more',
    (store) => {
      store.reset(STATE, { rows: [tool('asking', ASK)], more: false }, '');
      store.apply([upsert(tool('running'))]);
    },
    { ids: ['c1'] },
  );

  check(
    'a reply is read out whole when it is finished',
    (store) => {
      load(store, []);
      const row = { ...BASE, type: 'text', id: 'b', interrupted: false } as const;
      store.apply([upsert({ ...row, streaming: true, text: 'It is', chars: 5 })]);
      store.apply([{ type: 'rows', changes: [{ type: 'append', id: 'b', text: ' done' }] }]);
      assert.equal(store.polite.value.text, '');
      store.apply([upsert({ ...row, streaming: false, text: 'It is done', chars: 10 })]);
    },
    { ids: ['b'], polite: 'It is done' },
  );

  check(
    'text from a command is added to what is typed',
    (store) => {
      load(store, [], false, STATE, 'Explain this: ');
      store.apply([{ type: 'composer/insert', text: '@src/a.ts' }]);
    },
    { draft: 'Explain this:\n\n@src/a.ts' },
  );

  it('what a control remembers goes with its session', () => {
    const store = new PanelStore();
    load(store, ['a']);
    store.remember('open a', false).value = true;
    load(store, ['a', 'b']);
    assert.equal(store.remember('open a', false).value, true);
    load(store, ['a'], false, { ...STATE, sessionId: 's2' });
    assert.equal(store.remember('open a', false).value, false);
  });

  describe('S83: what does not go as things stand now', () => {
    function checkGone(
      name: string,
      step: (store: PanelStore) => void,
      expected: readonly (string | undefined)[],
    ): void {
      it(name, () => {
        const store = new PanelStore();
        load(store, ['a']);
        const told = (tell: () => void) => {
          tell();
          step(store);
          return store.problem.value;
        };
        assert.deepEqual(
          [told(() => store.tellForNow('too late')), told(() => (store.problem.value = 'broken'))],
          expected,
        );
      });
    }
    checkGone(
      'goes when a turn begins or ends',
      (store) => {
        const { running = false } = store.panel.value ?? {};
        store.apply([{ type: 'state', state: { ...STATE, running: !running } }]);
      },
      [undefined, 'broken'],
    );
    checkGone(
      'goes when another approval comes',
      (store) => {
        store.apply([upsert(tool('waiting'))]);
        store.apply([upsert(tool('asking', ASK))]);
      },
      [undefined, 'broken'],
    );
    checkGone(
      'goes with the session',
      (store) => {
        load(store, ['z'], false, { ...STATE, sessionId: `after ${store.panel.value?.sessionId}` });
      },
      [undefined, 'broken'],
    );
    checkGone('stays while nothing has changed', (store) => store.apply([upsert(notice('b'))]), ['too late', 'broken']);
  });
});

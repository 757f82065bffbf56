// Row changes for a panel: merged per row, in order, never a message over its bound, and nothing lost on the way.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MESSAGE_MAX_CHARS } from '../../../../src/common/protocol';
import type { Row, RowChange } from '../../../../src/common/rows';
import { fitDisplay } from '../../../../src/core/tool/display';
import { fitPage, fitText, jsonChars, RowBatch } from '../../../../src/vscode/panel/batch';

const MAX_CHARS = 400;

function row(id: string, text = ''): Row {
  return { type: 'text', id, turn: 't', agent: 'main', streaming: true, interrupted: false, text, chars: text.length };
}

const upsert = (id: string, text = ''): RowChange => ({ type: 'upsert', row: row(id, text) });
const append = (id: string, text: string): RowChange => ({ type: 'append', id, text });

describe('a batch of row changes', () => {
  function check(title: string, changes: RowChange[], expected: RowChange[][]): void {
    it(title, () => {
      const batch = new RowBatch();
      batch.add(changes);
      assert.deepEqual(batch.take(MAX_CHARS), expected);
      assert.deepEqual([batch.isEmpty, batch.take(MAX_CHARS)], [true, []]);
    });
  }

  check(
    'merges what is appended to one row',
    [append('a', '1'), append('b', 'x'), append('a', '2')],
    [[append('a', '12'), append('b', 'x')]],
  );
  check(
    'says no more than that the page is to be asked for, which holds the rest',
    [append('a', '1'), { type: 'reload' }, upsert('b'), append('b', 'x')],
    [[{ type: 'reload' }]],
  );
  check(
    'keeps a row in the place where it first came',
    [upsert('a'), upsert('b'), append('a', '1'), upsert('a', '1')],
    [[upsert('a', '1'), upsert('b')]],
  );
  check(
    'keeps what comes after a replacement',
    [append('a', 'old'), upsert('a', 'new'), append('a', '!')],
    [[upsert('a', 'new'), append('a', '!')]],
  );
  check(
    'splits a long text',
    [append('a', 'x'.repeat(500))],
    [[append('a', 'x'.repeat(333))], [append('a', 'x'.repeat(167))]],
  );

  const anyText = fc.string({ unit: 'binary', maxLength: 900 });

  it('says what was said, in messages within their bound', () => {
    const anyChange = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 900 }),
      isNew: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 12 }), (made) => {
        const changes = made.map(({ id, text, isNew }) => (isNew ? upsert(id, text.slice(0, 20)) : append(id, text)));
        const batch = new RowBatch();
        batch.add(changes);
        const groups = batch.take(MAX_CHARS);
        for (const group of groups) assert.ok(jsonChars(group) <= MAX_CHARS + 2, String(jsonChars(group)));
        assert.deepEqual(texts(groups.flat()), texts(changes));
      }),
    );
  });

  it('cuts a text at its bound, never inside a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 16, max: 300 }), (text, maxChars) => {
        const head = fitText(text, maxChars);
        assert.ok(text.startsWith(head) && jsonChars(head) <= maxChars);
        assert.ok(head !== '' || text === '', 'it gets on');
        assert.equal(/[\ud800-\udbff]$/.test(head) && head.length < text.length, false);
      }),
    );
  });

  it('G8: no message about a call of any size is over its bound', () => {
    const bulk = '\u0000'.repeat(200_000);
    const displays = [
      { kind: 'text', text: bulk },
      { kind: 'text', text: bulk, moreChars: 9, tail: bulk },
      { kind: 'shell', command: bulk, cwd: bulk, tail: bulk, moreChars: 0 },
      { kind: 'matches', groups: [{ path: bulk, count: 1, lines: [{ line: 1, text: bulk }] }], total: 1, more: 0 },
    ] as const;
    const batch = new RowBatch();
    for (const [at, display] of displays.entries()) {
      const base = {
        type: 'tool',
        id: `c${at}`,
        call: `c${at}`,
        turn: 't',
        agent: 'main',
        tool: 'bash',
        kind: 'shell',
      } as const;
      const row: Row = {
        ...base,
        title: 'Run',
        state: 'done',
        inputChars: 0,
        wholeChars: 200_000,
        display: fitDisplay(display),
      };
      batch.add([{ type: 'upsert', row }]);
    }
    const messages = batch.take(MESSAGE_MAX_CHARS);
    assert.deepEqual(
      messages.flat().map(({ type }) => type),
      displays.map(() => 'upsert'),
    );
    for (const message of messages) assert.ok(jsonChars(message) <= MESSAGE_MAX_CHARS);
  });

  it('gives the last rows that fit', () => {
    const rows = ['a', 'b', 'c'].map((id) => row(id, 'x'.repeat(100)));
    assert.deepEqual(fitPage(rows, 500), rows.slice(1));
    assert.deepEqual(fitPage(rows, 5_000), rows);
  });

  it('shortens a row that is too long for a message by itself', () => {
    const [fitted] = fitPage([row('a', '\u0001'.repeat(1_000))], MAX_CHARS);
    assert.ok(fitted?.type === 'text' && jsonChars(fitted) <= MAX_CHARS);
    assert.deepEqual([fitted.chars, fitted.text.length > 20], [1_000, true]);
  });

  it('never sends a notice or an answer that is too long for a message', () => {
    const base = { turn: 't', agent: 'main' };
    const notice: Row = { ...base, type: 'notice', id: 'n', level: 'error', text: 'x'.repeat(2_000) };
    const tool: Row = {
      ...base,
      ...{ type: 'tool', id: 'c', call: 'c', tool: 'bash', kind: 'shell', title: 'ls', state: 'denied' },
      ...{ inputChars: 0, wholeChars: 0 },
    };
    const answer = { kind: 'permission', decision: 'deny', note: 'x'.repeat(2_000) } as const;
    const fitted = [notice, { ...tool, answer }].flatMap((each) => fitPage([each], MAX_CHARS));
    for (const each of fitted) assert.ok(jsonChars(each) <= MAX_CHARS);
    assert.deepEqual(fitted[1], tool);
  });
});

/** What a panel would hold after these changes. */
function texts(changes: readonly RowChange[]): Record<string, string> {
  const held: Record<string, string> = {};
  for (const change of changes) {
    if (change.type === 'append') held[change.id] = (held[change.id] ?? '') + change.text;
    if (change.type === 'upsert' && change.row.type === 'text') held[change.row.id] = change.row.text;
  }
  return held;
}

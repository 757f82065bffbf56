// The fold from events to rows: what appears, in which order, what changes, and what crosses the channel of a long text.
import assert from 'node:assert/strict';
import type { AskAnswer, PermissionAsk } from '../../../src/common/asks';
import { NO_USAGE } from '../../../src/common/blocks';
import { MAIN_AGENT, type AgentEvent, type EventBody } from '../../../src/common/events';
import { Transcript } from '../../../src/common/transcript';
import { ROW_TEXT_CHARS, type Row, type RowChange } from '../../../src/common/rows';

function stamp(body: EventBody, seq: number, turn = 't1'): AgentEvent {
  return { seq, time: 1000 + seq, session: 's', turn, agent: MAIN_AGENT, ...body };
}

function fold(bodies: readonly EventBody[], transcript = new Transcript()): RowChange[] {
  return bodies.flatMap((body, i) => transcript.apply(stamp(body, i)));
}

/** What a panel would hold after these changes. */
function drawn(changes: readonly RowChange[]): Row[] {
  const rows = new Map<string, Row>();
  for (const change of changes) {
    if (change.type === 'upsert') rows.set(change.row.id, change.row);
    const known = change.type === 'append' ? rows.get(change.id) : undefined;
    if (change.type === 'append' && known && 'chars' in known) {
      rows.set(change.id, { ...known, text: known.text + change.text, chars: known.chars + change.text.length });
    }
  }
  return [...rows.values()];
}

const PROMPT: EventBody = { type: 'turn/started', text: 'Fix it' };
const QUEUED: EventBody = { type: 'tool/queued', call: 'c1', tool: 'edit', kind: 'edit', title: 'Edit a.ts' };
const ASK: PermissionAsk = {
  kind: 'permission',
  id: 'a1',
  call: 'c1',
  tool: 'edit',
  title: 'Edit a.ts',
  reasons: ['x'],
};
const END: EventBody = { type: 'turn/finished', end: 'done', usage: NO_USAGE, durationMs: 5 };

function delta(text: string): EventBody {
  return { type: 'text/delta', block: 'b1', text, transient: true };
}

function finished(status: 'done' | 'failed' | 'denied' | 'stopped'): EventBody {
  return { type: 'tool/finished', call: 'c1', status, text: 'result', wholeChars: 6, durationMs: 3 };
}

describe('transcript', () => {
  function check(name: string, events: readonly EventBody[], expected: readonly string[]): void {
    it(name, () => {
      const summary = (row: Row) => {
        if (row.type === 'tool')
          return `tool ${row.state}${row.ask ? ' with ask' : ''}${row.problem ? ' with problem' : ''}`;
        if (row.type === 'text' || row.type === 'thinking') return `${row.type} ${row.text}${row.streaming ? '…' : ''}`;
        if (row.type === 'retry') return `retry ${row.until === undefined ? 'over' : 'waiting'}`;
        return row.type;
      };
      assert.deepEqual(drawn(fold(events)).map(summary), expected);
    });
  }
  const streaming: EventBody = { type: 'tool/streaming', call: 'c1', tool: 'edit', chars: 9, transient: true };
  const opened: EventBody = { type: 'ask/opened', call: 'c1', ask: ASK };
  const closed: EventBody = {
    type: 'ask/closed',
    call: 'c1',
    ask: 'a1',
    answer: { kind: 'permission', decision: 'once' },
  };
  const started: EventBody = { type: 'tool/started', call: 'c1' };
  const retry: EventBody = {
    type: 'retry/waiting',
    attempt: 2,
    attempts: 8,
    delayMs: 500,
    reason: 'busy',
    transient: true,
  };
  const request: EventBody = { type: 'request/started', model: 'm', attempt: 2, transient: true };
  const text: EventBody = { type: 'block/finished', block: 'b1', content: { type: 'text', text: 'Hello' } };

  check('streams text into one row', [PROMPT, delta('Hel'), delta('lo')], ['prompt', 'text Hello…']);
  check('a finished block replaces what was streamed', [PROMPT, delta('Hel'), text], ['prompt', 'text Hello']);
  check('an empty block leaves no row', [{ ...text, content: { type: 'text', text: '' } }], []);
  check('a call begins while it is written', [streaming], ['tool streaming']);
  check('a call waits for its turn', [streaming, QUEUED], ['tool waiting']);
  check('a call asks', [QUEUED, opened], ['tool asking with ask']);
  check('an answered ask is gone', [QUEUED, opened, closed], ['tool waiting']);
  check('a call runs', [QUEUED, opened, closed, started], ['tool running']);
  check('a call is done', [QUEUED, started, finished('done')], ['tool done']);
  check('a denied call says why', [QUEUED, opened, finished('denied')], ['tool denied with problem']);
  check('a countdown ends with the next attempt', [PROMPT, retry, request], ['prompt', 'retry over']);
  check(
    'nothing is alive after the end',
    [PROMPT, delta('x'), QUEUED, opened, retry, END],
    ['prompt', 'text x', 'tool stopped', 'retry over', 'end'],
  );
  check(
    'settled calls stay as they are',
    [PROMPT, QUEUED, finished('failed'), END],
    ['prompt', 'tool failed with problem', 'end'],
  );

  it('sends the head of a long text and gives the rest by range', () => {
    const whole = 'abcdefgh'.repeat(ROW_TEXT_CHARS / 4);
    const transcript = new Transcript();
    fold([{ type: 'block/finished', block: 'b1', content: { type: 'text', text: whole } }], transcript);
    const row = transcript.row('b1');
    assert.equal(row?.type === 'text' && row.chars, whole.length);
    const pieces = [0, 1, 2].map((i) => transcript.text('b1', i * ROW_TEXT_CHARS));
    assert.equal(pieces.join(''), whole);
    assert.equal(row?.type === 'text' && row.text, pieces[0]);
  });

  it('keeps streamed text beyond the head for ranges', () => {
    const transcript = new Transcript();
    const half = 'x'.repeat(ROW_TEXT_CHARS * 0.75);
    fold([delta(half), delta(half)], transcript);
    assert.equal(transcript.text('b1', 0).length + transcript.text('b1', ROW_TEXT_CHARS).length, half.length * 2);
  });

  it('pages backwards without losing or repeating a row', () => {
    const transcript = new Transcript();
    for (let i = 0; i < 25; i++) transcript.apply(stamp({ type: 'notice', level: 'info', text: String(i) }, i));
    const last = transcript.page(10);
    const middle = transcript.page(10, last.rows[0]?.id);
    const first = transcript.page(10, middle.rows[0]?.id);
    const texts = [first, middle, last].flatMap(({ rows }) =>
      rows.map((row) => (row.type === 'notice' ? row.text : '')),
    );
    assert.deepEqual(
      texts,
      Array.from({ length: 25 }, (_, i) => String(i)),
    );
    assert.deepEqual([first.more, middle.more, last.more], [false, true, true]);
  });

  it('a command that was not allowed can be read afterwards; of an edit nothing is shown that looks made', () => {
    const shell = { kind: 'shell', command: 'rm x', cwd: '/w', tail: '', moreChars: 0 } as const;
    const diff = { kind: 'diff', files: [] } as const;
    const displays = (preview: PermissionAsk['preview'], answer: AskAnswer) =>
      drawn(
        fold([
          QUEUED,
          { type: 'ask/opened', call: 'c1', ask: { ...ASK, ...(preview && { preview }) } },
          { type: 'ask/closed', call: 'c1', ask: 'a1', answer },
          finished('denied'),
        ]),
      ).map((row) => row.type === 'tool' && row.display);
    assert.deepEqual(displays(shell, { kind: 'permission', decision: 'deny' }), [shell]);
    assert.deepEqual(displays(shell, { kind: 'dismissed', reason: 'x' }), [shell]);
    assert.deepEqual(displays(shell, { kind: 'permission', decision: 'once' }), [undefined]);
    assert.deepEqual(displays(diff, { kind: 'permission', decision: 'deny' }), [undefined]);
  });
});

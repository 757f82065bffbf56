// The transcript: what the panel shows, folded from events. Pure data in, row changes out; the host folds, the panel only draws.
import { closedRow } from './closedRow';
import type { AgentEvent, EventOf } from './events';
import {
  newToolRow,
  ROW_TEXT_CHARS,
  type LongText,
  type NoticeRow,
  type RetryRow,
  type Row,
  type RowChange,
  type ToolRow,
} from './rows';
import { addChanges, promptRowId, restoredRow, restoredRowId, rewoundRow, takenBack, withoutAction } from './rewinding';
import { RowOrder } from './rowOrder';
import { foldTool } from './toolRow';

/** Held state of one session's fold: rows in order, and whole texts by row id. */
export class Transcript {
  private readonly order = new RowOrder();
  private readonly rows = new Map<string, Row>();
  private readonly texts = new Map<string, string[]>();
  /** Where there is only one, so that a path below it is clear. */
  private root: string | undefined;
  private readonly retries = new Map<string, RetryRow>();

  get size(): number {
    return this.order.ids.length;
  }

  /** The row as it crosses the channel: long texts cut to their head. */
  row(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** The last `limit` rows before the row `before`, or of all; `more` tells whether earlier ones exist. */
  page(limit: number, before?: string): { rows: Row[]; more: boolean } {
    const { ids } = this.order;
    const end = before === undefined ? ids.length : Math.max(0, ids.lastIndexOf(before));
    const start = Math.max(0, end - limit);
    return { rows: ids.slice(start, end).flatMap((id) => this.rows.get(id) ?? []), more: start > 0 };
  }

  /** A piece of a row's whole text. */
  text(id: string, offset: number): string {
    return this.wholeText(id).slice(offset, offset + ROW_TEXT_CHARS);
  }

  /** Folds one event in and tells what changed. */
  apply(event: AgentEvent): RowChange[] {
    const base = { turn: event.turn, agent: event.agent };
    switch (event.type) {
      case 'turn/started':
        return [
          ...this.settleCuts(),
          ...this.put({
            ...base,
            type: 'prompt',
            id: promptRowId(event.turn),
            images: event.images?.length ?? 0,
            ...this.long(promptRowId(event.turn), event.text),
          }),
        ];
      case 'text/delta':
      case 'thinking/delta':
        return this.stream(event);
      case 'block/finished':
        return this.finishBlock(event);
      case 'tool/streaming':
      case 'tool/queued':
      case 'ask/opened':
      case 'ask/closed':
      case 'tool/started':
      case 'tool/progress':
      case 'tool/finished':
      case 'tool/ended':
      case 'deeds/done':
        return this.put(foldTool(this.tool(event), event));
      case 'notice': {
        const { level, text, action } = event;
        const row: NoticeRow = { ...base, type: 'notice', id: `notice/${event.seq}`, level, text };
        return this.put(action === undefined ? row : { ...row, action });
      }
      case 'retry/waiting': {
        const { attempt, attempts, reason } = event;
        const until = event.time + event.delayMs;
        const row: RetryRow = {
          ...base,
          type: 'retry',
          id: `retry/${event.seq}`,
          attempt,
          attempts,
          reason,
          until,
        };
        this.retries.set(event.agent, row);
        return this.put(row);
      }
      case 'request/started': {
        const waiting = this.retries.get(event.agent);
        if (!waiting) return [];
        this.retries.delete(event.agent);
        const { until: _, ...row } = waiting;
        return this.put(row);
      }
      case 'turn/finished': {
        const { end, usage, durationMs } = event;
        return [
          ...this.closeOpen(event),
          ...this.put({ ...base, type: 'end', id: `${event.turn}/end`, end, usage, durationMs }),
        ];
      }
      case 'files/changed':
        return this.addChanges(event);
      case 'files/restored':
        return this.tellRestored(event);
      case 'conversation/rewound':
        return this.cut(event);
      case 'conversation/restored':
        return this.putBack();
      case 'session/started':
        this.root = event.roots.length === 1 ? event.roots[0] : undefined;
        return [];
      case 'session/titled':
      case 'session/archived':
      case 'session/forked':
      case 'note/appended':
      case 'prompt/frozen':
      case 'message/finished':
      case 'results/pruned':
      case 'todos/changed':
      case 'tasks/changed':
      case 'mode/changed':
        return [];
      default:
        return unfolded(event);
    }
  }

  private stream(event: EventOf<'text/delta'> | EventOf<'thinking/delta'>): RowChange[] {
    const { block: id, text } = event;
    const known = this.rows.get(id);
    if (known?.type === 'text' || known?.type === 'thinking') {
      this.texts.get(id)?.push(text);
      const chars = known.chars + text.length;
      const room = ROW_TEXT_CHARS - known.text.length;
      this.rows.set(id, { ...known, text: room > 0 ? known.text + text.slice(0, room) : known.text, chars });
      return [{ type: 'append', id, text }];
    }
    const base = { id, turn: event.turn, agent: event.agent, streaming: true, ...this.long(id, text) };
    if (event.type === 'thinking/delta') return this.put({ ...base, type: 'thinking' });
    return this.put({ ...base, type: 'text', interrupted: false });
  }

  private finishBlock(event: EventOf<'block/finished'>): RowChange[] {
    const { content, block: id } = event;
    const base = { id, turn: event.turn, agent: event.agent, streaming: false };
    if (content.type === 'text') {
      if (content.text === '') return [];
      return this.put({
        ...base,
        type: 'text',
        interrupted: event.interrupted ?? false,
        ...this.long(id, content.text),
      });
    }
    if (content.type === 'thinking' && content.thinking !== '') {
      return this.put({ ...base, type: 'thinking', ...this.long(id, content.thinking) });
    }
    return [];
  }

  /** After a turn's end nothing of it may still look alive, whatever happened to the events in between. */
  private closeOpen(event: EventOf<'turn/finished'>): RowChange[] {
    const changes: RowChange[] = [];
    for (let i = this.order.ids.length - 1; i >= 0; i--) {
      const row = this.rows.get(this.order.ids[i] ?? '');
      if (row?.turn !== event.turn) break;
      const closed = closedRow(row);
      if (closed) changes.push(...this.put(closed));
    }
    return changes;
  }

  /** An edit shows its changes itself. */
  private addChanges(event: EventOf<'files/changed'>): RowChange[] {
    const row = this.tool(event);
    if (row.kind === 'edit' || event.files.length === 0) return [];
    return this.put({ ...row, changed: addChanges(row.changed, event.files, this.root) });
  }

  private tellRestored(event: EventOf<'files/restored'>): RowChange[] {
    const { to, undoes } = event;
    const undone = undoes === undefined ? undefined : this.rows.get(restoredRowId(undoes));
    if (undone?.type === 'notice') return this.put(takenBack(undone, event));
    const prompt = this.rows.get(promptRowId(to));
    return this.put(restoredRow(event, prompt?.type === 'prompt' ? prompt.text : undefined));
  }

  private cut(event: EventOf<'conversation/rewound'>): RowChange[] {
    const id = promptRowId(event.to);
    const prompt = this.rows.get(id);
    const last = this.rows.get(this.order.ids.at(-1) ?? '');
    if (prompt?.type !== 'prompt') return [];
    const row = rewoundRow(event, { prompt: prompt.text, last });
    if (!this.order.cut(id, row.id)) return [];
    this.rows.set(row.id, row);
    return [{ type: 'reload' }];
  }

  private putBack(): RowChange[] {
    const told = this.order.putBack();
    if (told === undefined) return [];
    this.rows.delete(told);
    return [{ type: 'reload' }];
  }

  /** With the next prompt what was rewound is out for good. */
  private settleCuts(): RowChange[] {
    const { gone, told } = this.order.settle();
    for (const id of gone) {
      this.rows.delete(id);
      this.texts.delete(id);
    }
    return told.flatMap((id) => {
      const row = this.rows.get(id);
      return row?.type === 'notice' ? this.put(withoutAction(row)) : [];
    });
  }

  private tool(event: AgentEvent & { readonly call: string }): ToolRow {
    const known = this.rows.get(event.call);
    return known?.type === 'tool' ? known : newToolRow(event.call, event);
  }

  private long(id: string, text: string): LongText {
    this.texts.set(id, [text]);
    return { text: text.slice(0, ROW_TEXT_CHARS), chars: text.length };
  }

  /** Deltas are kept as pieces and joined when somebody reads them, so a long stream stays linear. */
  private wholeText(id: string): string {
    const pieces = this.texts.get(id) ?? [];
    if (pieces.length > 1) this.texts.set(id, [pieces.join('')]);
    return this.texts.get(id)?.[0] ?? '';
  }

  private put(row: Row): RowChange[] {
    if (!this.rows.has(row.id)) this.order.add(row.id);
    this.rows.set(row.id, row);
    return this.order.isOut(row.id) ? [] : [{ type: 'upsert', row }];
  }
}

function unfolded(event: never): RowChange[] {
  throw new Error(`An event without a fold: ${JSON.stringify(event)}`);
}

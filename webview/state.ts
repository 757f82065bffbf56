// What the panel knows: rows by id and in order, what surrounds them, and what each row's own controls remember.
import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { HostEventBody, Page, PanelState } from '../src/common/protocol';
import type { Row, RowChange } from '../src/common/rows';
import { appendText, insertPiece, isLong, mergeRow } from './rows';

/** Ids in order. `first` numbers the first of them; it goes down as older pages come, so every row keeps its number. */
export interface RowOrder {
  readonly first: number;
  readonly ids: readonly string[];
}

/** One sentence for a screen reader; `key` makes the same words count again. */
export interface Announcement {
  readonly key: number;
  readonly text: string;
}

const NO_ROWS: RowOrder = { first: 0, ids: [] };
const ANNOUNCED_CHARS = 2_000;

/** Held state of the page. Views read its signals; `sync` and the actions change it. */
export class PanelStore {
  readonly panel = signal<PanelState | undefined>(undefined);
  readonly order = signal<RowOrder>(NO_ROWS);
  /** Earlier rows are still with the host. */
  readonly hasMore = signal(false);
  /** Rows that wait for the person, oldest first. */
  readonly asking = signal<readonly string[]>([]);
  readonly draft = signal('');
  /** Grows by one each time the composer should take the focus. */
  readonly focusRequests = signal(0);
  /** The row that should be shown; a new object each time. */
  readonly revealed = signal<{ readonly row: string } | undefined>(undefined);
  /** Grows by one each time the latest row should be shown. */
  readonly jumpRequests = signal(0);
  /** What went wrong last, shown until it is dismissed. */
  readonly problem = signal<string | undefined>(undefined);
  /** Why nothing can be shown at all. */
  readonly failure = signal<string | undefined>(undefined);
  readonly polite = signal<Announcement>({ key: 0, text: '' });
  readonly assertive = signal<Announcement>({ key: 0, text: '' });

  /** The problem that only holds as things stand. */
  private passing: string | undefined;
  private readonly rows = new Map<string, Signal<Row>>();
  private readonly remembered = new Map<string, Signal<unknown>>();

  row(id: string): ReadonlySignal<Row> | undefined {
    return this.rows.get(id);
  }

  /** A value that outlives the component that uses it, since rows out of sight are not drawn. */
  remember<T>(key: string, initial: T): Signal<T> {
    const known = this.remembered.get(key) as Signal<T> | undefined;
    if (known) return known;
    const fresh = signal(initial);
    this.remembered.set(key, fresh);
    return fresh;
  }

  /**
   * The last page, on load or after a gap. Older rows already here stay when the page touches them.
   * `draft` is for a session that was not shown before; what is typed into the one shown stays.
   */
  reset(state: PanelState, page: Page, draft: string): void {
    batch(() => {
      if (state.sessionId !== this.panel.value?.sessionId) {
        this.clear();
        this.moveOn();
        this.draft.value = draft;
      }
      const { first, ids } = this.order.value;
      const at = page.rows[0] ? ids.indexOf(page.rows[0].id) : 0;
      if (at < 0) this.clear();
      const older = at < 0 ? [] : ids.slice(0, at);
      if (older.length === 0) this.hasMore.value = page.more;
      for (const row of page.rows) this.put(row);
      this.order.value = { first: at < 0 ? 0 : first, ids: [...older, ...page.rows.map(({ id }) => id)] };
      this.asking.value = this.order.value.ids.filter((id) => this.isAsking(id));
      this.panel.value = state;
      this.failure.value = undefined;
    });
  }

  addOlder(page: Page): void {
    batch(() => {
      const { first, ids } = this.order.value;
      const known = new Set(ids);
      const fresh = page.rows.filter(({ id }) => !known.has(id));
      for (const row of fresh) this.put(row);
      this.order.value = { first: first - fresh.length, ids: [...fresh.map(({ id }) => id), ...ids] };
      // A page without news would be asked for again and again.
      this.hasMore.value = page.more && fresh.length > 0;
      this.asking.value = this.order.value.ids.filter((id) => this.isAsking(id));
    });
  }

  addPiece(id: string, offset: number, piece: string): void {
    const held = this.rows.get(id);
    if (held && isLong(held.value)) held.value = insertPiece(held.value, offset, piece);
  }

  apply(bodies: readonly HostEventBody[]): void {
    batch(() => {
      for (const body of bodies) this.applyOne(body);
    });
  }

  /** What does not go as things stand now: nothing to dismiss once they have moved on. */
  tellForNow(problem: string): void {
    this.passing = problem;
    this.problem.value = problem;
  }

  /** The person did something else, or a turn began, asked or ended. */
  moveOn(): void {
    if (this.passing !== undefined && this.problem.peek() === this.passing) this.problem.value = undefined;
    this.passing = undefined;
  }

  /** The latest row says why others are gone, or back. */
  announceNotice(): void {
    const row = this.rows.get(this.order.peek().ids.at(-1) ?? '')?.peek();
    if (row?.type === 'notice') this.announce('polite', row.text);
  }

  announce(how: 'polite' | 'assertive', text: string): void {
    const target = this[how];
    target.value = { key: target.value.key + 1, text: text.slice(0, ANNOUNCED_CHARS) };
  }

  private applyOne(body: HostEventBody): void {
    switch (body.type) {
      case 'rows':
        return this.applyRows(body.changes);
      case 'state':
        if (body.state.running !== this.panel.peek()?.running) this.moveOn();
        this.panel.value = body.state;
        return;
      case 'tasks':
        if (this.panel.value) this.panel.value = { ...this.panel.value, tasks: body.tasks };
        return;
      case 'composer/insert': {
        const { value: draft } = this.draft;
        this.draft.value = draft === '' ? body.text : `${draft.replace(/\s+$/, '')}\n\n${body.text}`;
        this.focusRequests.value += 1;
        return;
      }
      case 'composer/focus':
        this.focusRequests.value += 1;
        return;
      case 'row/reveal':
        this.revealed.value = { row: body.row };
        return;
      case 'session/switched':
        // `sync` asks for the page of the other session; until it comes, this one stays.
        return;
    }
  }

  private applyRows(changes: readonly RowChange[]): void {
    const added: string[] = [];
    for (const change of changes) {
      // `sync` asks for the page.
      if (change.type === 'reload') continue;
      if (change.type === 'append') {
        const held = this.rows.get(change.id);
        if (held && isLong(held.value)) held.value = appendText(held.value, change.text);
        continue;
      }
      const before = this.rows.get(change.row.id)?.peek();
      if (!before) added.push(change.row.id);
      this.put(change.row);
      this.noteAsk(change.row);
      this.announceRow(before, change.row);
    }
    if (added.length === 0) return;
    const { first, ids } = this.order.value;
    this.order.value = { first, ids: [...ids, ...added] };
  }

  private put(row: Row): void {
    const held = this.rows.get(row.id);
    if (!held) {
      this.rows.set(row.id, signal(row));
      return;
    }
    held.value = mergeRow(held.peek(), row);
  }

  private isAsking(id: string): boolean {
    const row = this.rows.get(id)?.peek();
    return row?.type === 'tool' && row.ask !== undefined;
  }

  private noteAsk({ id }: Row): void {
    const { value: asking } = this.asking;
    const isAsking = this.isAsking(id);
    if (isAsking === asking.includes(id)) return;
    if (isAsking) this.moveOn();
    this.asking.value = isAsking ? [...asking, id] : asking.filter((other) => other !== id);
  }

  /** Whole replies, asks and errors are read out; single words of a stream are not. */
  private announceRow(before: Row | undefined, row: Row): void {
    if (row.type === 'text' && !row.streaming && !(before?.type === 'text' && !before.streaming)) {
      const { text } = mergeRow(before, row) as typeof row;
      return this.announce('polite', text);
    }
    if (row.type === 'tool' && row.ask && !(before?.type === 'tool' && before.ask?.id === row.ask.id)) {
      const words = row.ask.kind === 'permission' ? 'Lathe asks for approval' : 'Lathe has a question';
      return this.announce('assertive', `${words}: ${row.title}`);
    }
    if (row.type === 'notice' && row.level === 'error') return this.announce('assertive', row.text);
    if (row.type === 'end' && !before)
      this.announce('polite', row.end === 'done' ? 'Lathe is done.' : 'Lathe stopped.');
  }

  private clear(): void {
    this.rows.clear();
    this.remembered.clear();
    this.order.value = NO_ROWS;
    this.hasMore.value = false;
    this.asking.value = [];
  }
}

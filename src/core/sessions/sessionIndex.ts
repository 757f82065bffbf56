// The index of the stored sessions: what each is about, so that a list of them reads no session file. It can always be made anew.
import { messageOf } from '../../common/errors';
import { isJsonObject } from '../../common/json';
import type { Log } from '../host';
import type { Store, StoredFile } from '../store';
import { ENTRY_VERSION, sessionFile } from '../session/journal';
import { scanEvents, scanLines, type LineHead } from './scan';
import { isSummary, newSummary, summarize, SUMMARY_EVENTS } from './summary';
import type { StoredSession } from './types';

const INDEX_FILE = 'index/sessions.jsonl';
/** Another form of the entries; those of any other form are made anew. */
const INDEX_VERSION = 1;
const SESSION_NAME = /^sessions\/([\w-]+)\.jsonl$/;
/** Lines that later ones replace; with more of them than this the file is written anew. */
const STALE_LINES_MAX = 1_000;
const NEWLINE = 0x0a;

/** What a file was found to say, and which state of the file that was. */
interface Entry {
  readonly summary: StoredSession;
  readonly modifiedMs: number;
  /** Where its last whole line ends: what is appended later is read from there. */
  readonly readBytes: number;
}

/**
 * Held state of a window. Several windows append to the file, and the last line for a session holds; a line that is lost or
 * stale costs one more look into that session's file.
 */
export class SessionIndex {
  private readonly entries = new Map<string, Entry>();
  private lines = 0;
  /** How far the index file has been read. */
  private readBytes = 0;
  /** One look at a time. */
  private looking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly log: Log,
  ) {}

  /** Newest first. Files that cannot be read are left out, which the log tells. Rejects when the store cannot be listed. */
  list(): Promise<readonly StoredSession[]> {
    return this.inTurn(async () => {
      const found = await this.look('sessions/');
      await this.tidy(new Set(found.map(({ id }) => id)));
      return found.sort((a, b) => b.lastMs - a.lastMs || (a.id < b.id ? 1 : -1));
    });
  }

  /** Undefined when there is no such session, or none that can be read. */
  get(id: string): Promise<StoredSession | undefined> {
    return this.inTurn(async () => (await this.look(sessionFile(id)))[0]);
  }

  /** Notes what a session's file has come to hold. Never rejects. */
  async note(id: string): Promise<void> {
    await this.get(id).catch((error: unknown) => this.tellLost(error));
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.looking.then(work);
    this.looking = done.catch(() => {});
    return done;
  }

  private async look(prefix: string): Promise<StoredSession[]> {
    await this.readIndex();
    const files = (await this.store.entries(prefix)).filter(({ name }) => SESSION_NAME.test(name));
    const found: StoredSession[] = [];
    const fresh: Entry[] = [];
    for (const file of files) {
      const id = SESSION_NAME.exec(file.name)?.[1] ?? '';
      const known = this.entries.get(id);
      const entry = isCurrent(known, file) ? known : await this.readSession(id, file);
      if (!entry) continue;
      if (entry !== known) fresh.push(entry);
      if (entry.summary.startedMs > 0) found.push(entry.summary);
    }
    await this.keep(fresh);
    return found;
  }

  private async readSession(id: string, file: StoredFile): Promise<Entry | undefined> {
    const known = this.entries.get(id);
    try {
      const isGrown = known !== undefined && (await this.endsLineAt(file, known));
      return await readOn(this.store, file, isGrown ? known : emptyEntry(id));
    } catch (error) {
      this.log.warn(`The session ${id} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** A file that was written anew by somebody else is read from its start. */
  private async endsLineAt({ name, sizeBytes }: StoredFile, { summary, readBytes }: Entry): Promise<boolean> {
    if (sizeBytes <= summary.sizeBytes || readBytes === 0) return false;
    const [last] = await this.store.read(name, readBytes - 1, 1);
    return last === NEWLINE;
  }

  /** What other windows have added, or the whole when one of them has written it anew. */
  private async readIndex(): Promise<void> {
    try {
      const sizeBytes = (await this.store.size(INDEX_FILE)) ?? 0;
      if (sizeBytes === this.readBytes) return;
      if (sizeBytes < this.readBytes) this.forget();
      const lines = scanLines(this.store, { name: INDEX_FILE, from: this.readBytes, isWanted: () => true });
      for (let next = await lines.next(); ; next = await lines.next()) {
        if (next.done) {
          this.readBytes = next.value;
          return;
        }
        this.lines++;
        const entry = parseIndexLine(next.value);
        if (entry) this.entries.set(entry.summary.id, entry);
      }
    } catch (error) {
      this.tellLost(error);
    }
  }

  private forget(): void {
    this.readBytes = 0;
    this.lines = 0;
    this.entries.clear();
  }

  private async keep(fresh: readonly Entry[]): Promise<void> {
    for (const entry of fresh) this.entries.set(entry.summary.id, entry);
    if (fresh.length === 0) return;
    const text = fresh.map(indexLine).join('');
    // After a torn line, nothing is glued to it.
    await this.store.append(INDEX_FILE, `\n${text}`).catch((error: unknown) => this.tellLost(error));
  }

  private async tidy(stored: ReadonlySet<string>): Promise<void> {
    if (this.lines <= 2 * stored.size + STALE_LINES_MAX) return;
    const entries = [...this.entries.values()].filter(({ summary }) => stored.has(summary.id));
    const text = entries.map(indexLine).join('');
    try {
      await this.store.replace(INDEX_FILE, text);
      this.forget();
    } catch (error) {
      this.tellLost(error);
    }
  }

  private tellLost(error: unknown): void {
    this.log.warn(`The index of sessions is not up to date: ${messageOf(error)}`);
  }
}

function isCurrent(known: Entry | undefined, file: StoredFile): known is Entry {
  return known?.summary.sizeBytes === file.sizeBytes && known.modifiedMs === file.modifiedMs;
}

function emptyEntry(id: string): Entry {
  return { summary: newSummary(id), modifiedMs: 0, readBytes: 0 };
}

async function readOn(store: Store, file: StoredFile, known: Entry): Promise<Entry> {
  let { summary } = known;
  let isNewer = summary.isNewer ?? false;
  const isWanted = ({ version, type }: LineHead): boolean => {
    isNewer ||= version > ENTRY_VERSION;
    return version === ENTRY_VERSION && SUMMARY_EVENTS.has(type);
  };
  const events = scanEvents(store, { name: file.name, from: known.readBytes, isWanted });
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) {
      const { name: _, sizeBytes, modifiedMs } = file;
      return { summary: { ...summary, sizeBytes, ...(isNewer && { isNewer }) }, modifiedMs, readBytes: next.value };
    }
    summary = summarize(summary, next.value);
  }
}

function indexLine({ summary, modifiedMs, readBytes }: Entry): string {
  return `${JSON.stringify({ v: INDEX_VERSION, id: summary.id, modifiedMs, readBytes, summary })}\n`;
}

/** Anybody may have written in the file: what is not sound is as good as missing. */
function parseIndexLine(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isJsonObject(entry) || entry['v'] !== INDEX_VERSION) return undefined;
    const { modifiedMs, readBytes, summary } = entry;
    const isSound = typeof modifiedMs === 'number' && typeof readBytes === 'number' && isSummary(summary);
    return isSound ? { modifiedMs, readBytes, summary } : undefined;
  } catch {
    return undefined;
  }
}

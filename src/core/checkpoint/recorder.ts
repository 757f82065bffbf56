// Every change that a session's calls make to files goes through here: what was there before is kept, and the event says so.
import { messageOf } from '../../common/errors';
import type { ChangedFile, FileState } from '../../common/changes';
import type { EventBody } from '../../common/events';
import { foldPath } from '../files/names';
import type { EditOrigin, EditOutcome, EditPlan, Edits, FileChange, Host, Path } from '../host';
import { inBatches } from './batches';
import type { Contents } from './contents';
import type { Ledger } from './ledger';
import { entryPath, lookAt, lookOf, UNKNOWN, type Look } from './state';
import type { SnapshotChange } from './types';

export type RecorderHost = Pick<Host, 'files' | 'edits' | 'settings' | 'clock' | 'platform' | 'log'>;

export interface RecorderParts {
  readonly host: RecorderHost;
  readonly session: string;
  readonly contents: Contents;
  readonly ledger: Ledger;
  emit(event: EventBody): void;
  /** Told of what a call has done to files by itself, when it is recorded. */
  readonly onNoted?: ((changes: readonly SnapshotChange[], origin: EditOrigin) => void) | undefined;
}

const OFF = 'Checkpoints were switched off.';
const LINK = 'It was a link, and links are not kept.';
const PROMPT_MAX_CHARS = 200;

/** What is known of one changed path before the change. */
interface Before {
  readonly path: Path;
  readonly real: Path;
  readonly state?: FileState;
  readonly lost?: string;
}

/** Held state of a session. Changes are recorded one after another, so that their events come in their order. */
export class Recorder implements Edits {
  private last: Promise<unknown> = Promise.resolve();
  /** The turn whose first changes are known, and what was changed in it. */
  private turn: string | undefined;
  private readonly kept = new Set<Path>();
  private hasSaidFull = false;
  private readonly unseen = new Set<string>();

  constructor(private readonly parts: RecorderParts) {}

  /** The edits of a call. What cannot be kept never stands in its way. */
  apply(plan: EditPlan): Promise<EditOutcome> {
    return this.inTurn(() => this.applyAndTell(plan));
  }

  /**
   * What a call has done to files by itself, such as a command. Resolves when the contents from before are kept, and the event
   * is out. Never rejects.
   */
  note(by: { readonly call: string; readonly title: string }, changes: readonly SnapshotChange[]) {
    if (changes.length === 0) return Promise.resolve([]);
    return this.inTurn(async (): Promise<readonly ChangedFile[]> => {
      this.enterTurn();
      try {
        const files = await inBatches(changes, (change) => this.noted(change));
        this.parts.emit({ type: 'files/changed', call: by.call, files });
        return files;
      } finally {
        // Whatever could be kept of them: they have happened, and somebody waits to hear of them.
        this.parts.onNoted?.(changes, this.originOf(by));
      }
    });
  }

  /** What cannot be looked at around commands, once each. */
  tellUnseen(unseen: readonly string[]): void {
    for (const text of unseen) {
      if (this.unseen.has(text)) continue;
      this.unseen.add(text);
      this.parts.emit({ type: 'notice', level: 'info', text });
    }
  }

  /** Runs `step` when everything before it has been recorded. */
  inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.last.then(step);
    this.last = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  private async applyAndTell(plan: EditPlan): Promise<EditOutcome> {
    this.enterTurn();
    const capturing = Promise.all(plan.changes.map((change) => this.before(change)));
    const outcome = await this.parts.host.edits.apply({
      ...plan,
      origin: this.originOf({ call: plan.call, title: plan.label }),
      ready: Promise.all([capturing, plan.ready]),
    });
    const befores = await capturing;
    if (!outcome.ok) return outcome;
    const files = await Promise.all(plan.changes.map((change, at) => this.changed(change, befores[at])));
    this.parts.emit({ type: 'files/changed', call: plan.call, files });
    return outcome;
  }

  private originOf({ call, title }: { readonly call: string; readonly title: string }): EditOrigin {
    const { ledger, session, host } = this.parts;
    const { turn = 'none', prompt = '' } = ledger.latest ?? {};
    const head = prompt.replace(/\s+/g, ' ').trim().slice(0, PROMPT_MAX_CHARS);
    return { session, turn, call, prompt: head, title, time: host.clock.now() };
  }

  private enterTurn(): void {
    const turn = this.parts.ledger.latest?.turn;
    if (turn === this.turn) return;
    this.turn = turn;
    this.kept.clear();
    this.parts.contents.forget();
  }

  private get isOff(): boolean {
    return !this.parts.host.settings.get('checkpoints.enabled');
  }

  private async before(change: FileChange): Promise<Before> {
    const { path } = change;
    const { host } = this.parts;
    const isEntry = change.kind === 'delete' || change.kind === 'move';
    const [entry, target] = await Promise.all([
      isEntry ? entryPath(path, host) : undefined,
      change.real !== undefined && !isEntry ? change.real : host.files.realPath(path),
    ]);
    const real = entry ?? target;
    if (this.isOff) return { path, real, ...(isNew(change) ? {} : { state: UNKNOWN }), lost: OFF };
    if (real !== target) return { path, real, state: UNKNOWN, lost: LINK };
    return { path, real, ...(await this.keep(real, await lookAt(path, host))) };
  }

  /** At a file's first change in a turn what was there is kept; later ones only need to know its name. */
  private async keep(real: Path, look: Look): Promise<Omit<Before, 'path' | 'real'>> {
    const { state, problem } = look;
    if (!state) return {};
    if (problem !== undefined) return { state, lost: problem };
    const key = this.keyOf(real);
    const lost = this.kept.has(key) ? undefined : await this.store(look);
    return { state, ...(lost === undefined ? {} : { lost }) };
  }

  /** Why it could not be kept. */
  private async store({ contents }: Look): Promise<string | undefined> {
    try {
      await Promise.all([...contents].map(([name, bytes]) => this.parts.contents.keep(name, bytes)));
      this.hasSaidFull = false;
      return undefined;
    } catch (error) {
      const reason = messageOf(error);
      if (!this.hasSaidFull) {
        const text = `What files were before they are changed cannot be kept at the moment, so these changes cannot be taken back here. ${reason}`;
        this.parts.emit({ type: 'notice', level: 'warning', text });
      }
      this.hasSaidFull = true;
      return reason;
    }
  }

  private async changed(change: FileChange, before: Before | undefined): Promise<ChangedFile> {
    if (!before) throw new Error('A change was not looked at before it was made.');
    const { host } = this.parts;
    const { path, real, state, lost } = before;
    this.kept.add(this.keyOf(real));
    const at = change.kind === 'move' ? change.to : path;
    const realAt = change.kind === 'move' ? await entryPath(at, host) : real;
    this.kept.add(this.keyOf(realAt));
    const after = this.isOff ? { state: change.kind === 'delete' ? undefined : UNKNOWN } : await lookAt(at, host);
    return {
      path,
      ...(real === path ? {} : { real }),
      change: kindOf(change),
      ...(change.kind === 'move' ? { to: at, ...(realAt === at ? {} : { realTo: realAt }) } : {}),
      ...(state ? { before: state } : {}),
      ...(after.state ? { after: after.state } : {}),
      ...(lost === undefined ? {} : { lost }),
    };
  }

  private async noted({ path, change, before, lost }: SnapshotChange): Promise<ChangedFile> {
    const { host } = this.parts;
    const real = await host.files.realPath(path);
    const kept = before
      ? await this.keep(real, lookOf(before))
      : { ...(change === 'created' ? {} : { state: UNKNOWN, lost: 'What it was is not known.' }) };
    this.kept.add(this.keyOf(real));
    const { state: after } = change === 'deleted' ? {} : await lookAt(path, host);
    const why = lost ?? kept.lost;
    return {
      ...{ path, change },
      ...(real === path ? {} : { real }),
      ...(kept.state ? { before: kept.state } : {}),
      ...(after ? { after } : {}),
      ...(why === undefined ? {} : { lost: why }),
    };
  }

  private keyOf(real: Path): Path {
    return foldPath(real, this.parts.host.platform);
  }
}

function isNew(change: FileChange): boolean {
  return change.kind === 'create' || (change.kind === 'put' && change.baseVersion === undefined);
}

function kindOf(change: FileChange): ChangedFile['change'] {
  if (change.kind === 'delete') return 'deleted';
  if (change.kind === 'move') return 'moved';
  return isNew(change) ? 'created' : 'edited';
}

// What the agent changed in this window and the person has neither kept nor undone: the light end of it, there from activation on.
import * as vscode from 'vscode';
import type { Note } from '../../core/agent/notes';
import type { EditOrigin } from '../../core/host';
import type { ReviewedFile } from '../../core/review/types';
import type { AppliedChange } from '../edits/edits';
import type { EditorHost } from '../host';
import { keptRejections, type Rejections } from './rejections';
import type { OpenReview } from './open';

export interface ReviewParts {
  readonly host: EditorHost;
  /** What is remembered for the workspace. */
  readonly memory: vscode.Memento;
  /** Shows the session, at that call where it can. */
  showCall(session: string, call: string): Promise<void>;
}

/** Set while something is under review, so that a window where nothing is loads nothing. */
const HAS_REVIEW = 'review';

/** Held state: the open review, loaded with the agent's first change or where an earlier window left something. */
export class WindowReview implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly rejections: Rejections;
  private readonly listener: vscode.Disposable;
  private opening: Promise<OpenReview> | undefined;
  private open: OpenReview | undefined;
  private isDisposed = false;

  /** Which files are under review, or their counts, may be different. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly parts: ReviewParts) {
    this.rejections = keptRejections(parts.memory);
    this.listener = parts.host.onDidApply((change) => this.applied(change));
    if (!this.isEnabled()) void this.forget();
    else if (parts.memory.get(HAS_REVIEW)) void this.load();
  }

  /** Without `session`: of all sessions. */
  files(session?: string): readonly ReviewedFile[] {
    const files = this.open?.reviews.files() ?? [];
    return session === undefined ? files : files.filter(({ sessions }) => sessions.includes(session));
  }

  /** What the person took back of that session's, for its next request; told once. */
  takeNews(session: string): readonly Note[] {
    const { open } = this;
    if (open) this.rejections.withdraw((rejection) => open.reviews.isBack(rejection));
    return this.rejections.take(session);
  }

  /** What a command works on. Loads it where nothing has been changed yet. */
  load(): Promise<OpenReview> {
    this.opening ??= this.start();
    return this.opening;
  }

  showCall(session: string, call: string): Promise<void> {
    return this.parts.showCall(session, call);
  }

  /** The person has changed a setting. */
  refresh(): void {
    if (!this.isEnabled()) void this.forget();
    else this.open?.refresh();
  }

  /** Resolves when what is under review is on disk. */
  async close(): Promise<void> {
    await (await this.opening)?.close();
    this.dispose();
  }

  dispose(): void {
    this.isDisposed = true;
    this.listener.dispose();
    this.open?.dispose();
    this.changes.dispose();
  }

  private applied(change: AppliedChange): void {
    if (this.isDisposed || !this.isEnabled()) return;
    // Without a change of the agent's there is nothing that a restore or an undo could concern.
    if (!change.origin && !this.opening) return;
    void this.load().then((open) => open.follower.applied(change));
  }

  private async start(): Promise<OpenReview> {
    const { openReview } = await import('./open');
    const open = await openReview({
      ...this.parts,
      rejections: this.rejections,
      onChange: () => this.announce(),
    });
    this.open = open;
    if (this.isDisposed) open.dispose();
    else this.announce();
    return open;
  }

  private announce(): void {
    const hasReview = this.files().length > 0;
    if ((this.parts.memory.get(HAS_REVIEW) ?? false) !== hasReview) {
      void this.parts.memory.update(HAS_REVIEW, hasReview || undefined);
    }
    this.changes.fire();
  }

  /** Switched off: everything is kept as it is. */
  private async forget(): Promise<void> {
    if (!this.opening && !this.parts.memory.get(HAS_REVIEW)) return;
    const open = await this.load();
    for (const { path } of open.reviews.files()) open.reviews.keep(path);
  }

  private isEnabled(): boolean {
    return this.parts.host.settings.get('review.enabled');
  }
}

/** What a hover and a lens hand to the command that shows where a change came from. */
export type OriginArguments = readonly [session: EditOrigin['session'], call: EditOrigin['call']];

/** What a hover, a lens and the panel hand to the commands that keep and undo. */
export type ChangeArguments = readonly [uri: string, hunk?: string];

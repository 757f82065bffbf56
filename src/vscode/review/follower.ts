// Keeps what is under review in step with the files: the agent's changes, the person's typing, and whatever else writes to them.
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { isProblem, type Path } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import { editorUri, findDocument } from '../files/documents';
import type { AppliedChange } from '../edits/edits';
import { EDITOR_TEXT_BYTES } from '../files/files';
import type { EditorHost } from '../host';
import { isLocal, toPath, toUri } from '../uris';

/** After the last key. */
const TYPING_PAUSE_MS = 200;
/** Between looks at a file that is being written. */
const BUSY_PAUSE_MS = 50;
/** A watcher does not see what happens before it has started, and does not say when it has. */
const WATCHER_START_MS = 1_500;

export interface FollowerParts {
  readonly host: Pick<EditorHost, 'files' | 'isApplying' | 'isChanging' | 'isCommandRunning' | 'log'>;
  readonly reviews: Reviews;
}

/** Held state. What it is told takes effect in the order it happened, one after another. */
export class Follower implements vscode.Disposable {
  private last: Promise<void> = Promise.resolve();
  /** The agent's changes that wait for their turn: until then a look would take them for the person's. */
  private unheard = 0;
  /** Moves that were written through Lathe, until the editor has told of them too. */
  private readonly ownMoves = new Set<string>();
  private readonly timers = new Map<Path, NodeJS.Timeout>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly listeners: vscode.Disposable;
  private isDisposed = false;

  constructor(private readonly parts: FollowerParts) {
    this.listeners = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.lookSoon(toPath(document.uri), TYPING_PAUSE_MS);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.lookSoon(toPath(uri), BUSY_PAUSE_MS)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.moved(toPath(oldUri), toPath(newUri));
      }),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) this.lookBelow(toPath(uri));
      }),
      // Back from another program, which may have written where no watcher reaches.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const { path } of parts.reviews.files()) this.lookSoon(path, BUSY_PAUSE_MS);
      }),
    );
  }

  /** A change that was written through Lathe, by the agent or for the person. */
  applied({ path, before, after, movedTo, origin, isText }: AppliedChange): void {
    if (movedTo !== undefined) this.ownMoves.add(moveKey(path, movedTo));
    if (!isText) return;
    this.unheard++;
    this.enqueue(async () => {
      this.unheard--;
      const { reviews } = this.parts;
      const at = await nameOf(path);
      const to = movedTo === undefined ? undefined : await nameOf(movedTo);
      if (origin) {
        reviews.agentChanged({ path: at, before, after, origin, ...(to === undefined ? {} : { movedTo: to }) });
      } else if (to === undefined) reviews.restored(at, after);
      else reviews.personMoved(at, to);
      // The person may have typed into it meanwhile.
      this.lookSoon(to ?? at, BUSY_PAUSE_MS);
    });
  }

  /** Resolves when the file as it is now is known. */
  settle(path: Path): Promise<void> {
    this.stopTimer(path);
    this.enqueue(() => this.look(path));
    return this.last;
  }

  /** Resolves when all that happened so far has taken effect. */
  async idle(): Promise<void> {
    for (const path of [...this.timers.keys()]) void this.settle(path);
    await this.last;
  }

  /** Watches the folders of the files under review, and no others. */
  watch(paths: readonly Path[]): void {
    const folders = new Set(paths.map((path) => folderOf(path).toString()));
    for (const [folder, watcher] of this.watchers) {
      if (folders.has(folder)) continue;
      watcher.dispose();
      this.watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.watchers.has(folder)) continue;
      const pattern = new vscode.RelativePattern(vscode.Uri.parse(folder, true), '*');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const look = (uri: vscode.Uri) => this.lookSoon(toPath(uri), TYPING_PAUSE_MS);
      const started = setTimeout(() => this.lookBelow(toPath(vscode.Uri.parse(folder, true))), WATCHER_START_MS);
      this.watchers.set(
        folder,
        vscode.Disposable.from(
          watcher,
          { dispose: () => clearTimeout(started) },
          watcher.onDidChange(look),
          watcher.onDidCreate(look),
          watcher.onDidDelete(look),
        ),
      );
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.timers.clear();
    this.watchers.clear();
  }

  private lookSoon(path: Path, pauseMs: number): void {
    if (this.isDisposed || (this.unheard === 0 && !this.parts.reviews.isFollowed(path))) return;
    this.stopTimer(path);
    const look = () => {
      this.timers.delete(path);
      this.enqueue(() => this.look(path));
    };
    this.timers.set(path, setTimeout(look, pauseMs));
  }

  private stopTimer(path: Path): void {
    clearTimeout(this.timers.get(path));
    this.timers.delete(path);
  }

  private async look(path: Path): Promise<void> {
    const { host, reviews } = this.parts;
    if (!reviews.isFollowed(path)) return;
    if (await this.isBusy(path)) return this.lookSoon(path, BUSY_PAUSE_MS);
    const file = await host.files.text(path, EDITOR_TEXT_BYTES);
    // What began while it was read is told later, and with the text from before it.
    if (await this.isBusy(path)) return this.lookSoon(path, BUSY_PAUSE_MS);
    if (!isProblem(file)) reviews.personChanged(path, file.text);
    else if (file.problem === 'missing') reviews.personChanged(path, undefined);
  }

  /** What is in the file may be the agent's without having been told. */
  private async isBusy(path: Path): Promise<boolean> {
    const { host } = this.parts;
    const document = await findDocument(path);
    if (this.unheard > 0 || host.isApplying()) return true;
    // What is on the disk may be a command's; what is unsaved is the person's.
    if (!document?.isDirty && host.isCommandRunning()) return true;
    return document !== undefined && host.isChanging(document);
  }

  /** A file, or a folder with files in it. */
  private moved(from: Path, to: Path): void {
    this.enqueue(async () => {
      const { host, reviews } = this.parts;
      while (host.isApplying()) await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      if (this.ownMoves.delete(moveKey(from, to))) return;
      for (const { path } of reviews.files()) {
        if (path === from || path.startsWith(`${from}/`)) reviews.personMoved(path, `${to}${path.slice(from.length)}`);
      }
    });
  }

  private lookBelow(from: Path): void {
    for (const { path } of this.parts.reviews.files()) {
      if (path === from || path.startsWith(`${from}/`)) this.lookSoon(path, BUSY_PAUSE_MS);
    }
  }

  private enqueue(step: () => Promise<void>): void {
    this.last = this.last.then(step).catch((error: unknown) => {
      this.parts.host.log.error('What is under review could not be followed', error);
    });
  }
}

function moveKey(from: Path, to: Path): string {
  return JSON.stringify([from, to]);
}

/** As the editor names it, whichever way the agent reached it. */
async function nameOf(path: Path): Promise<Path> {
  return toPath(await editorUri(path));
}

function folderOf(path: Path): vscode.Uri {
  return isLocal(path) ? toUri(dirname(path)) : vscode.Uri.joinPath(toUri(path), '..');
}

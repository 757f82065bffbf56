// Shows an edit of the agent's as a diff in the editor: what the file was before the call beside what the call made of it.
import * as vscode from 'vscode';
import type { Session } from '../../core/session/types';
import { isProblem, type Path } from '../../core/host';
import type { App } from '../app';
import type { AppliedChange } from './edits';
import { patched, reversed } from './hunks';
import { findFile, openFile } from '../panel/open';
import { toPath } from '../uris';

export const BEFORE_SCHEME = 'lathe-edit';
const KEPT_CHARS = 32 * 1024 * 1024;
const MAX_BYTES = 10 * 1024 * 1024;

interface Sides {
  readonly before: string;
  readonly after: string;
}

/** Held state: the sides of recent edits, by call and path, as virtual documents. */
export class EditDiffs implements vscode.TextDocumentContentProvider {
  private readonly sides = new Map<string, Sides>();
  private chars = 0;

  /** What a call did to a text; a file that it only moved or deleted has no other side to show. */
  recordChange({ call, path, change, before = '', after, isText }: AppliedChange): void {
    if (isText && after !== undefined && change !== 'moved') this.record(call, path, { before, after });
  }

  record(call: string, path: Path, sides: Sides): void {
    const key = keyOf(call, path);
    const earlier = this.forget(key);
    const kept = earlier ? { before: earlier.before, after: sides.after } : sides;
    this.sides.set(key, kept);
    this.chars += sizeOf(kept);
    for (const oldest of this.sides.keys()) {
      if (this.chars <= KEPT_CHARS) return;
      this.forget(oldest);
    }
  }

  get(call: string, path: Path): Sides | undefined {
    return this.sides.get(keyOf(call, path));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const [call = '', side] = uri.query.split('&');
    const sides = this.sides.get(keyOf(call, uri.path));
    return (side === 'after' ? sides?.after : sides?.before) ?? '';
  }

  private forget(key: string): Sides | undefined {
    const sides = this.sides.get(key);
    if (!sides) return undefined;
    this.sides.delete(key);
    this.chars -= sizeOf(sides);
    return sides;
  }
}

function sizeOf({ before, after }: Sides): number {
  return before.length + after.length;
}

function keyOf(call: string, path: Path): string {
  return `${call} ${path}`;
}

/**
 * From memory while it is there, else worked out from the hunks that the transcript keeps and the file as it is: forward when
 * the edit waits for approval, backward when it is done. Where that does not fit any more, the file itself is opened.
 */
export async function openEditDiff(app: App, session: Session, call: string, path: Path): Promise<void> {
  const roots = app.host.roots();
  const uri = await findFile(path, roots).catch(() => undefined);
  const real = uri ? toPath(uri) : path;
  if (!app.diffs.get(call, real)) {
    const sides = await rebuild(app, session, call, path, real);
    if (!sides) return openFile(path, undefined, roots);
    app.diffs.record(call, real, sides);
  }
  const side = (name: 'before' | 'after') =>
    vscode.Uri.from({ scheme: BEFORE_SCHEME, path: real, query: `${call}&${name}` });
  const now = uri && (await app.host.files.text(real, MAX_BYTES));
  const isCurrent = now && !isProblem(now) && now.text === app.diffs.get(call, real)?.after;
  const title = vscode.l10n.t('{0} (Lathe)', vscode.workspace.asRelativePath(uri ?? path));
  await vscode.commands.executeCommand('vscode.diff', side('before'), isCurrent ? uri : side('after'), title, {
    preview: true,
  });
}

async function rebuild(app: App, session: Session, call: string, path: Path, real: Path): Promise<Sides | undefined> {
  const row = session.transcript.row(call);
  if (row?.type !== 'tool') return undefined;
  const preview = row.ask?.kind === 'permission' ? row.ask.preview : undefined;
  const display = preview ?? row.display;
  const diff = display?.kind === 'diff' ? display.files.find((file) => file.path === path) : undefined;
  if (!diff || diff.moreHunks) return undefined;
  const file = await app.host.files.text(real, MAX_BYTES);
  const now = isProblem(file) ? '' : file.text;
  const forward = patched(now, diff.hunks);
  if (preview && forward !== undefined) return { before: now, after: forward };
  const backward = patched(now, diff.hunks.map(reversed));
  return backward === undefined ? undefined : { before: backward, after: now };
}

// A session's files without a model: turns, the agent's edits and the person's own, on a real host in a temporary folder.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentEvent } from '../../src/common/events';
import { keepChanges, type Changes } from '../../src/core/checkpoint/session';
import type { EditOutcome, FileChange, Host } from '../../src/core/host';
import { loadSession } from '../../src/core/session/load';
import { SessionRecord } from '../../src/core/session/record';
import type { NodeHostOptions } from '../../src/node/host';
import { createWorkspace, type Tree, type Workspace } from './workspace';

export interface History {
  readonly path: (relative: string) => string;
  readonly session: string;
  readonly events: readonly AgentEvent[];
  /** The latest one where the session was reopened. */
  readonly changes: () => Changes;
  /** Returns the turn. */
  readonly turn: () => string;
  readonly edit: (...changes: readonly FileChange[]) => Promise<EditOutcome>;
  /** The agent puts this text there, whatever is there; undefined: removes it. */
  readonly agent: (relative: string, text: string | undefined) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly person: (relative: string, text: string | undefined) => Promise<void>;
  /** As after a restart: everything that is known comes out of the session's file. */
  readonly reopen: () => Promise<void>;
}

export type FolderHistory = History & Workspace;

/** Runs `use` over these files, and removes them. */
export async function withHistory(
  files: Tree,
  use: (history: FolderHistory) => Promise<void>,
  settings: NodeHostOptions['settings'] = {},
): Promise<void> {
  const workspace = await createWorkspace(files, { settings, log: { info() {}, warn() {}, error() {} } });
  try {
    const { flush, ...history } = createHistory(workspace.host, workspace.path);
    await use({ ...workspace, ...history });
    await flush();
  } finally {
    await workspace.remove();
  }
}

export function createHistory(
  host: Host,
  path: (relative: string) => string,
): History & { readonly flush: () => Promise<void> } {
  const session = 'session-1';
  const events: AgentEvent[] = [];
  const open = () => {
    const record = new SessionRecord(session, host);
    record.subscribe((event) => events.push(event));
    const isOpen = (id: string) => id === session;
    return { record, changes: keepChanges({ host, record, isOpen, isBusy: () => false }) };
  };
  let { record, changes } = open();
  record.journal.release();
  let turns = 0;
  const version = async (relative: string): Promise<string | undefined> => {
    const found = await host.files.version(path(relative));
    return typeof found === 'string' ? found : undefined;
  };
  const edit: History['edit'] = (...planned) => changes.recorder.apply({ label: 'Edit', call: 'c1', changes: planned });
  const done = async (...planned: readonly FileChange[]): Promise<void> => {
    const outcome = await edit(...planned);
    assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
  };
  return {
    ...{ path, session, events, edit },
    flush: () => record.journal.flush(),
    changes: () => changes,
    turn: () => {
      const turn = `turn-${++turns}`;
      record.enterTurn(turn);
      record.emit({ type: 'turn/started', text: `Prompt ${turns}` });
      return turn;
    },
    async agent(relative, text) {
      const baseVersion = await version(relative);
      if (text === undefined) {
        if (baseVersion !== undefined) await done({ kind: 'delete', path: path(relative), baseVersion });
        return;
      }
      if (baseVersion === undefined) return done({ kind: 'create', path: path(relative), text });
      const bytes = Buffer.from(text);
      return done({ kind: 'put', path: path(relative), baseVersion, bytes });
    },
    async move(from, to) {
      const baseVersion = await version(from);
      if (baseVersion === undefined || (await version(to)) !== undefined) return;
      await done({ kind: 'move', path: path(from), to: path(to), baseVersion });
    },
    async person(relative, text) {
      if (text === undefined) return rm(path(relative), { force: true });
      await mkdir(dirname(path(relative)), { recursive: true });
      await writeFile(path(relative), text);
    },
    async reopen() {
      await record.journal.flush();
      const stored = await loadSession(host.store, session);
      ({ record, changes } = open());
      record.replay(stored?.events ?? []);
      record.journal.release();
    },
  };
}

/** The folder in the store. */
export function contentsOf({ outside, session }: FolderHistory): string {
  return join(outside, 'store/checkpoints', session);
}

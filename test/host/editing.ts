// The Edits port of the editor as the suites use it, with settings of their own and all that it tells.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProblem, type EditOrigin, type EditOutcome, type FileChange } from '../../src/core/host';
import { createSettings, type SettingValues } from '../../src/node/settings';
import { editorEdits, type AppliedChange, type EditorEdits, type EditsParts } from '../../src/vscode/edits/edits';
import { editorFiles } from '../../src/vscode/files/files';
import { toolsOn, type ToolTest } from '../support/toolTest';
import { testApi, workspaceFolder } from './support';

const MAX_BYTES = 50 * 1024 * 1024;

export const files = editorFiles();

/** That an agent's call made a change. */
export const ORIGIN: EditOrigin = {
  ...{ session: 's1', turn: 't1', call: 'call_1', prompt: 'Do it', title: 'Edit', time: 0 },
};

export interface Editing {
  readonly edits: EditorEdits;
  /** What was told, oldest first. */
  readonly told: readonly AppliedChange[];
  apply(...changes: FileChange[]): Promise<EditOutcome>;
}

export function startEditing(settings: SettingValues = {}, limits: Pick<EditsParts, 'saveLimitMs'> = {}): Editing {
  const told: AppliedChange[] = [];
  const edits = editorEdits({
    ...{ files, settings: createSettings(settings), ...limits },
    onApplied: (change) => told.push(change),
  });
  const apply = (...changes: FileChange[]) =>
    edits.apply({ label: 'Test edit', call: 'call_1', origin: ORIGIN, changes });
  return { edits, told, apply };
}

/** Replaces the one place where `old` is. */
export async function replacing(path: string, old: string, text: string): Promise<FileChange> {
  const file = await files.text(path, MAX_BYTES);
  assert.ok(!isProblem(file), 'the file can be read');
  const start = file.text.indexOf(old);
  assert.ok(start >= 0, `${old} is in the file`);
  return { kind: 'edit', path, baseVersion: file.version, splices: [{ start, end: start + old.length, text }] };
}

export async function versionOf(path: string): Promise<string> {
  const version = await files.version(path);
  assert.ok(typeof version === 'string', 'the file has a version');
  return version;
}

export function refused(outcome: EditOutcome): string {
  assert.ok(!outcome.ok, 'it is refused');
  return outcome.reason;
}

/** What became of the files, without their texts' versions. */
export function outcomeOf(outcome: EditOutcome): unknown {
  if (!outcome.ok) return outcome.reason;
  return outcome.files.map(({ after, isSaved, wasReformatted }) => ({ text: after?.text, isSaved, wasReformatted }));
}

/** The built-in tools on the extension's own host. */
export async function editorTools(): Promise<ToolTest> {
  const { host } = await testApi();
  const root = workspaceFolder();
  return toolsOn({
    ...{ root, outside: dirname(root), host, path: (relative) => join(root, relative) },
    ...{ tree: async () => ({}), bytes: (relative) => readFile(join(root, relative)), remove: async () => {} },
  });
}

// Keeping and undoing while something else happens to the file, or just after it: nothing lands at another place, nothing is forgotten.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension';
import { isProblem, type EditOrigin } from '../../src/core/host';
import { closeAll, eventually, makeFile, onDisk, show, testApi } from './support';

const MAX_BYTES = 1024 * 1024;
const TEXT = `${Array.from({ length: 20 }, (_, n) => `line ${n + 1}`).join('\n')}\n`;
const EDITED = TEXT.replace('line 3', 'LINE 3').replace('line 15', 'LINE 15\nmore');
const ORIGIN: EditOrigin = {
  session: 'session_races',
  turn: 'turn_1',
  call: 'call_1',
  prompt: 'Shout',
  title: 'Edit a.txt',
  time: 1_700_000_000_000,
};

describe('review while something else writes', () => {
  let api: TestApi;

  before(async () => {
    api = await testApi();
  });

  afterEach(async () => {
    const { reviews } = await api.app.review.load();
    for (const { path } of reviews.files()) reviews.keep(path);
    await closeAll();
  });

  async function edited(): Promise<string> {
    const path = await makeFile('a.txt', TEXT);
    const file = await api.host.files.text(path, MAX_BYTES);
    assert.ok(!isProblem(file));
    const splices = [{ start: 0, end: file.text.length, text: EDITED }];
    const changes = [{ kind: 'edit', path, baseVersion: file.version, splices } as const];
    const outcome = await api.host.edits.apply({ label: 'Edit', call: ORIGIN.call, changes, origin: ORIGIN });
    assert.ok(outcome.ok);
    await (await api.app.review.load()).follower.idle();
    return path;
  }

  const undoFirst = async (path: string) => {
    const { reviews } = await api.app.review.load();
    const uri = vscode.Uri.file(path).toString();
    await vscode.commands.executeCommand('lathe.review.undoChange', uri, reviews.hunks(path)[0]?.id);
  };

  it('undoing is put off while a command may have changed the file, and lands where the change is afterwards', async () => {
    const path = await edited();
    const { signal } = new AbortController();
    const snapshot = await api.host.snapshots.take([dirname(path)], signal);
    const written = `first\nsecond\nthird\n${EDITED}`;
    await writeFile(path, written);
    await undoFirst(path);
    assert.equal(await onDisk(path), written, 'nothing was changed');
    await api.host.commandChanged(await snapshot.changes(signal), { ...ORIGIN, call: 'call_2' });
    await eventually('the command’s lines are known', async () => {
      const { reviews, follower } = await api.app.review.load();
      await follower.settle(path);
      return reviews.hunks(path).length === 3;
    });
    const { reviews } = await api.app.review.load();
    const shout = reviews.hunks(path)[1];
    await vscode.commands.executeCommand('lathe.review.undoChange', vscode.Uri.file(path).toString(), shout?.id);
    assert.equal(await onDisk(path), written.replace('LINE 3', 'line 3'));
  });

  it('what undoing took out of review is under review again when the editor’s undo brings it back', async () => {
    const path = await edited();
    const { document } = await show(path);
    await vscode.commands.executeCommand('lathe.review.undoFile', vscode.Uri.file(path));
    assert.deepEqual([document.getText(), api.app.review.files()], [TEXT, []]);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), EDITED);
    await eventually('it is under review again', () => api.app.review.files()[0]?.path === path);
    await vscode.commands.executeCommand('redo');
    await eventually('and is not when that is taken back', () => api.app.review.files().length === 0);
  });
});

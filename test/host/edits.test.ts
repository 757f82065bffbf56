// Writing in the editor: what was planned, one undo step, and nothing at all when it is refused.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isProblem, type FileChange } from '../../src/core/host';
import { versionOfText } from '../../src/vscode/files/files';
import { files, ORIGIN, refused, replacing, startEditing } from './editing';
import { closeAll, freePath, makeFile, onDisk, show, typeAtEnd } from './support';

const { apply, told } = startEditing();
const MAX_BYTES = 50 * 1024 * 1024;

describe('edits in the editor', () => {
  afterEach(closeAll);

  it('O44: saves a clean file, and one undo step restores it', async () => {
    const path = await makeFile('a.ts', 'one\ntwo\nthree\n');
    await show(path);
    const file = await files.text(path, MAX_BYTES);
    assert.ok(!isProblem(file));
    const splices = [
      { start: 0, end: 3, text: 'ONE' },
      { start: 8, end: 13, text: 'THREE\nFOUR' },
    ];
    const outcome = await apply({ kind: 'edit', path, baseVersion: file.version, splices });
    const text = 'ONE\ntwo\nTHREE\nFOUR\n';
    assert.deepEqual(outcome, {
      ok: true,
      files: [
        {
          path,
          after: { text, version: versionOfText(text), isDirty: false, encoding: 'utf8' },
          isSaved: true,
          wasReformatted: false,
        },
      ],
    });
    assert.equal(await onDisk(path), text);
    const sides = { before: 'one\ntwo\nthree\n', after: text, isText: true };
    assert.deepEqual(told.at(-1), { call: 'call_1', origin: ORIGIN, path, change: 'edited', ...sides });
    await vscode.commands.executeCommand('undo');
    assert.equal((await show(path)).document.getText(), 'one\ntwo\nthree\n');
  });

  it('undoes an edit of a file that was opened only afterwards', async () => {
    const path = await makeFile('a.ts', 'one\n');
    assert.ok((await apply(await replacing(path, 'one', 'ONE'))).ok);
    const { document } = await show(path);
    assert.equal(document.getText(), 'ONE\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\n');
  });

  it('changes unsaved text and leaves it unsaved', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const editor = await show(path);
    await typeAtEnd(editor, 'mine\n');
    const outcome = await apply(await replacing(path, 'one', 'ONE'));
    assert.deepEqual(outcome.ok && outcome.files.map(({ isSaved, after }) => ({ isSaved, text: after?.text })), [
      { isSaved: false, text: 'ONE\nmine\n' },
    ]);
    assert.deepEqual([await onDisk(path), editor.document.isDirty], ['one\n', true]);
  });

  it('refuses other line endings in unsaved text', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const editor = await show(path);
    await typeAtEnd(editor, 'mine\n');
    assert.match(refused(await apply(await replacing(path, 'one', 'a\r\nb'))), /line endings/);
    assert.equal(editor.document.getText(), 'one\nmine\n');
  });

  it('refuses when the person has typed since', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const change = await replacing(path, 'one', 'ONE');
    const editor = await show(path);
    await typeAtEnd(editor, 'mine\n');
    assert.match(refused(await apply(change)), /changed since it was read/);
    assert.deepEqual([editor.document.getText(), await onDisk(path)], ['one\nmine\n', 'one\n']);
  });

  it('refuses when the file has changed on disk since', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const change = await replacing(path, 'one', 'ONE');
    await writeFile(path, 'one more\n');
    assert.match(refused(await apply(change)), /changed since it was read/);
    assert.equal(await onDisk(path), 'one more\n');
  });

  it('follows an open document to what the disk holds now', async () => {
    const path = await makeFile('a.txt', 'one\n');
    await show(path);
    await writeFile(path, 'one more\n');
    assert.ok((await apply(await replacing(path, 'more', 'MORE'))).ok);
    assert.equal(await onDisk(path), 'one MORE\n');
  });

  it('makes a file with the folders it needs, and not over another', async () => {
    const path = freePath('new/deep/a.txt');
    const outcome = await apply({ kind: 'create', path, text: 'a\r\nb\n' });
    assert.deepEqual(outcome.ok && outcome.files.map(({ after, isSaved }) => [after?.text, isSaved]), [
      ['a\r\nb\n', true],
    ]);
    assert.equal(await onDisk(path), 'a\r\nb\n');
    assert.match(refused(await apply({ kind: 'create', path, text: 'other' })), /exists already/);
    assert.equal(await onDisk(path), 'a\r\nb\n');
  });

  it('makes an empty file', async () => {
    const path = freePath('empty.txt');
    assert.ok((await apply({ kind: 'create', path, text: '' })).ok);
    assert.equal((await stat(path)).size, 0);
  });

  it('does not make a file below a file', async () => {
    const path = await makeFile('a.txt', 'one\n');
    assert.match(
      refused(await apply({ kind: 'create', path: join(path, 'b.txt'), text: 'x' })),
      /is a file, not a folder/,
    );
    assert.equal(await onDisk(path), 'one\n');
  });

  it('deletes and moves', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const to = join(dirname(path), 'sub/b.txt');
    const baseVersion = versionOfText('one\n');
    const moved = await apply({ kind: 'move', path, to, baseVersion });
    assert.deepEqual(moved.ok && moved.files.map((file) => [file.path, file.after?.text]), [[to, 'one\n']]);
    await assert.rejects(stat(path));
    const deleted = await apply({ kind: 'delete', path: to, baseVersion });
    assert.deepEqual(deleted, { ok: true, files: [{ path: to, isSaved: true, wasReformatted: false }] });
    await assert.rejects(stat(to));
  });

  it('does not delete what holds unsaved changes', async () => {
    const path = await makeFile('a.txt', 'one\n');
    await typeAtEnd(await show(path), 'mine\n');
    const change: FileChange = { kind: 'delete', path, baseVersion: versionOfText('one\nmine\n') };
    assert.match(refused(await apply(change)), /unsaved changes/);
    assert.equal(await onDisk(path), 'one\n');
  });

  it('changes several files or none', async () => {
    const a = await makeFile('a.txt', 'one\n');
    const b = await makeFile('b.txt', 'a\r\nb\n');
    const changes = [await replacing(a, 'one', 'ONE'), await replacing(b, 'b', 'B')];
    const stale: FileChange = { kind: 'delete', path: await makeFile('c.txt', 'c\n'), baseVersion: 'older' };
    assert.match(refused(await apply(...changes, stale)), /changed since it was read/);
    assert.deepEqual([await onDisk(a), await onDisk(b)], ['one\n', 'a\r\nb\n']);
    assert.ok((await apply(...changes)).ok);
    assert.deepEqual([await onDisk(a), await onDisk(b)], ['ONE\n', 'a\r\nB\n']);
  });

  it('puts everything back when a later file cannot be changed', async () => {
    const a = await makeFile('a.txt', 'one\n');
    const path = await makeFile('b.txt', 'a\r\nb\n');
    const changes = [await replacing(a, 'one', 'ONE'), await replacing(path, 'b', 'B')];
    // The bytes change between the check and the write of the second file, which is written on disk.
    const racing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.fsPath === a && document.getText() === 'ONE\n') writeFileSync(path, 'a\r\nb!\n');
    });
    try {
      assert.match(refused(await apply(...changes)), /b\.txt has changed.*Nothing was changed/);
      assert.deepEqual([await onDisk(a), await onDisk(path)], ['one\n', 'a\r\nb!\n']);
      assert.ok(told.every((change) => change.path !== a));
    } finally {
      racing.dispose();
    }
  });

  it('gives edits of one file their turn', async () => {
    const path = await makeFile('a.txt', 'one\ntwo\n');
    const [first, second] = [await replacing(path, 'one', 'ONE'), await replacing(path, 'two', 'TWO')];
    const outcomes = await Promise.all([apply(first), apply(second)]);
    assert.deepEqual(
      outcomes.map(({ ok }) => ok),
      [true, false],
    );
    assert.equal(await onDisk(path), 'ONE\ntwo\n');
  });

  it('changes a file of 12 MB on disk', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const path = await makeFile('big.txt', `start\n${line.repeat(120_000)}`);
    assert.ok((await apply(await replacing(path, 'start', 'begin'))).ok);
    assert.equal((await onDisk(path)).slice(0, 10), 'begin\nxxxx');
  });

  it('refuses half a character', async () => {
    const path = await makeFile('a.txt', 'one\n');
    assert.match(refused(await apply(await replacing(path, 'one', '\ud83d'))), /surrogate/);
    assert.equal(await onDisk(path), 'one\n');
  });
});

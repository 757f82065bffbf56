// delete and move through the tools in the editor: what is open follows, what is unsaved stays, and no text is lost on the way.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ToolTest } from '../support/toolTest';
import { editorTools } from './editing';
import { closeAll, eventually, makeFile, onDisk, show, typeAtEnd } from './support';

const BINARY = Uint8Array.of(0x89, 0, 0xff, 1);

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function openPaths(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.fsPath] : [])),
  );
}

describe('T06 delete and move in the editor', () => {
  let tools: ToolTest;
  before(async () => {
    tools = await editorTools();
  });
  afterEach(closeAll);

  const done = async (name: string, input: Record<string, string>) => {
    const { status, text } = await tools.call(name, input);
    assert.equal(status, 'done', text);
    return text;
  };

  it('an open document goes with its file', async () => {
    const file_path = await makeFile('a.txt', 'one\n');
    await show(file_path);
    await done('read', { file_path });
    // No trash is used where the editor is served to a browser.
    assert.match(await done('delete', { file_path }), /^Deleted .*a\.txt \(1 line\)\. The person can bring it back/);
    assert.equal(await isThere(file_path), false);
    await eventually('its tab is closed', () => !openPaths().includes(file_path) || undefined);
  });

  it('what is no text is deleted and moved, to the byte', async () => {
    const file_path = await makeFile('p.bin', BINARY);
    const to = join(dirname(file_path), 'new/q.bin');
    await done('move', { file_path, to });
    assert.deepEqual([await isThere(file_path), await readFile(to)], [false, Buffer.from(BINARY)]);
    await done('delete', { file_path: to });
    assert.equal(await isThere(to), false);
  });

  for (const tool of ['delete', 'move']) {
    it(`${tool} leaves what has unsaved changes`, async () => {
      const file_path = await makeFile('a.txt', 'one\n');
      const to = join(dirname(file_path), 'b.txt');
      const editor = await show(file_path);
      await typeAtEnd(editor, 'mine\n');
      await done('read', { file_path });
      const { status, text } = await tools.call(tool, tool === 'move' ? { file_path, to } : { file_path });
      assert.deepEqual([status, /unsaved changes of the person/.test(text)], ['failed', true]);
      assert.deepEqual([await onDisk(file_path), editor.document.getText()], ['one\n', 'one\nmine\n']);
      assert.deepEqual([editor.document.isDirty, await isThere(to)], [true, false]);
    });
  }

  it('a moved document stays open under its new name, is known there and can be edited and undone', async () => {
    const file_path = await makeFile('a.txt', 'one\n');
    const to = join(dirname(file_path), 'sub/b.txt');
    await show(file_path);
    await done('read', { file_path });
    await done('move', { file_path, to });
    assert.deepEqual([await isThere(file_path), await onDisk(to)], [false, 'one\n']);
    await eventually('the tab has the new name', () => openPaths().includes(to) || undefined);
    assert.equal(openPaths().includes(file_path), false);
    await done('edit', { file_path: to, old_string: 'one', new_string: 'two' });
    const { document } = await show(to);
    assert.deepEqual([document.getText(), await onDisk(to)], ['two\n', 'two\n']);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\n');
  });
});

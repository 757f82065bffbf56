// Reading in the editor: unsaved changes are the truth, bytes are decoded strictly, nothing is opened.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isProblem } from '../../src/core/host';
import { editorFiles, versionOfText } from '../../src/vscode/files/files';
import { closeAll, makeFile, show, typeAtEnd, workspaceFolder } from './support';

const MAX_BYTES = 1024 * 1024;
const files = editorFiles();

describe('files in the editor', () => {
  afterEach(closeAll);

  function checkText(title: string, bytes: Uint8Array, expected: { text: string; encoding: string } | string): void {
    it(`reads ${title}`, async () => {
      const path = await makeFile('a.txt', bytes);
      const found = await files.text(path, MAX_BYTES);
      const seen = isProblem(found) ? found.problem : found;
      const whole =
        typeof expected === 'string'
          ? expected
          : { ...expected, version: versionOfText(expected.text), isDirty: false };
      assert.deepEqual(seen, whole);
      assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === path), 'it was not opened');
    });
  }

  const utf16 = Buffer.from('\ufeffhé\r\n', 'utf16le');
  checkText('UTF-8', Buffer.from('hé\n'), { text: 'hé\n', encoding: 'utf8' });
  checkText('a byte-order mark', Buffer.from('\ufeffhé'), { text: 'hé', encoding: 'utf8bom' });
  checkText('UTF-16', utf16, { text: 'hé\r\n', encoding: 'utf16le' });
  checkText('mixed line endings as they are', Buffer.from('a\r\nb\nc\r'), { text: 'a\r\nb\nc\r', encoding: 'utf8' });
  checkText('no text from what is binary', Uint8Array.of(1, 0, 2, 0), 'binary');
  checkText('no text from what is no UTF-8', Buffer.from([0x68, 0xe9, 0x0a]), 'encoding');
  checkText('nothing larger than asked for', Buffer.alloc(MAX_BYTES + 1, 'a'), 'too-large');

  it('reads the encoding a person has set', async () => {
    const configuration = vscode.workspace.getConfiguration('files');
    const path = await makeFile('latin.txt', Buffer.from([0x68, 0xe9, 0x0a]));
    await configuration.update('encoding', 'iso88591', vscode.ConfigurationTarget.Workspace);
    try {
      const text = 'hé\n';
      assert.deepEqual(await files.text(path, MAX_BYTES), {
        text,
        encoding: 'iso88591',
        version: versionOfText(text),
        isDirty: false,
      });
    } finally {
      await configuration.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('reads unsaved changes', async () => {
    const path = await makeFile('a.txt', 'one\n');
    await typeAtEnd(await show(path), 'two\n');
    const text = 'one\ntwo\n';
    assert.deepEqual(await files.text(path, MAX_BYTES), {
      text,
      version: versionOfText(text),
      isDirty: true,
      encoding: 'utf8',
    });
  });

  it('finds unsaved changes through a link', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const link = join(dirname(path), 'link.txt');
    await symlink(path, link);
    await typeAtEnd(await show(link), 'two\n');
    const found = await files.text(path, MAX_BYTES);
    assert.equal(isProblem(found) || found.text, 'one\ntwo\n');
  });

  it('R04: the version is that of the live text: the same when a file is opened, another when it is typed into, the same when that is undone', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const version = async () => {
      const found = await files.text(path, MAX_BYTES);
      return isProblem(found) ? found : found.version;
    };
    const before = await version();
    const editor = await show(path);
    assert.equal(await version(), before);
    await typeAtEnd(editor, 'two\n');
    assert.notEqual(await version(), before);
    await vscode.commands.executeCommand('undo');
    assert.equal(await version(), before);
  });

  it('tells what is missing and what is a folder', async () => {
    const problems = await Promise.all(
      [join(workspaceFolder(), 'none.txt'), workspaceFolder()].map((path) => files.text(path, MAX_BYTES)),
    );
    assert.deepEqual(
      problems.map((found) => isProblem(found) && found.problem),
      ['missing', 'directory'],
    );
  });
});

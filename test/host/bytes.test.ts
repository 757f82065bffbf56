// An edit in the editor changes the bytes that it is about and no other, whatever the file is and however it is open.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { BYTE_CASES, checkBytes, type ByteCase } from '../support/byteCases';
import { editorTools } from './editing';
import { closeAll, freePath, show, withSetting } from './support';

describe('R33: bytes outside an edit, in the editor', () => {
  afterEach(closeAll);

  for (const each of BYTE_CASES) {
    it(each.what, () => withSetting('files.encoding', each.encoding, () => check(each)));
  }

  async function check(each: ByteCase): Promise<void> {
    const folder = dirname(freePath('x'));
    await mkdir(folder, { recursive: true });
    await checkBytes(each, { tools: await editorTools(), folder, open });
  }

  async function open(path: string, how: NonNullable<ByteCase['open']>): Promise<void> {
    if (how === 'with its own encoding') {
      await vscode.workspace.openTextDocument(vscode.Uri.file(path), { encoding: 'iso88591' });
    }
    const { document } = await show(path);
    if (how === 'twice') await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  }
});

// An edit in the editor changes the bytes that it is about and no other, whatever the file is and however it is open.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { BYTE_CASES, checkBytes, type ByteCase } from '../support/byteCases';
import { toolsOn } from '../support/toolTest';
import { closeAll, freePath, show, testApi, withSetting, workspaceFolder } from './support';

describe('R33: bytes outside an edit, in the editor', () => {
  afterEach(closeAll);

  for (const each of BYTE_CASES) {
    it(each.what, () => withSetting('files.encoding', each.encoding, () => check(each)));
  }

  async function check(each: ByteCase): Promise<void> {
    const folder = dirname(freePath('x'));
    await mkdir(folder, { recursive: true });
    const { host } = await testApi();
    const root = workspaceFolder();
    const tools = toolsOn({
      ...{ root, outside: dirname(root), host, path: (relative) => join(root, relative) },
      ...{ tree: async () => ({}), bytes: (relative) => readFile(join(root, relative)), remove: async () => {} },
    });
    await checkBytes(each, { tools, folder, open });
  }

  async function open(path: string, how: NonNullable<ByteCase['open']>): Promise<void> {
    if (how === 'with its own encoding') {
      await vscode.workspace.openTextDocument(vscode.Uri.file(path), { encoding: 'iso88591' });
    }
    const { document } = await show(path);
    if (how === 'twice') await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  }
});

// What the manifest promises is there once the extension is active.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extension, testApi } from './support';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly category: string }[] };
}

describe('the manifest', () => {
  it('contributes commands that are all registered, in one category', async () => {
    await testApi();
    const { commands } = (extension().packageJSON as Manifest).contributes;
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      commands.filter(({ command, category }) => !registered.includes(command) || category !== 'Lathe'),
      [],
    );
    assert.ok(registered.includes('lathe.panel.focus'), 'the view is there');
  });
});

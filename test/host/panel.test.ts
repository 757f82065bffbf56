// The panel in the real workbench: it opens, its page reports in, and a prompt runs the whole way with the demo model.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../src/common/events';
import { closeAll, eventually, testApi } from './support';

describe('the panel', () => {
  afterEach(closeAll);

  it('runs a prompt with the demo model, whatever is set', async () => {
    const api = await testApi();
    const events: AgentEvent[] = [];
    const end = await api.runPrompt({ prompt: 'What is here?', mode: 'plan', onEvent: (event) => events.push(event) });
    assert.equal(end, 'done');
    assert.ok(events.some((event) => event.type === 'tool/finished' && event.status === 'done'));
    assert.equal(events.at(-1)?.type, 'turn/finished');
  });

  it('opens as a view and as an editor tab', async () => {
    await testApi();
    await vscode.commands.executeCommand('lathe.open');
    await vscode.commands.executeCommand('lathe.openInTab');
    await eventually('the tab is there', () => {
      const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
      return tabs.find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('lathe.tab'));
    });
  });
});

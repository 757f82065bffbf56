// What a repository's settings file says of the person's settings, and what the extension leaves open to others, in a real editor.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SETTINGS, type SettingName } from '../../src/common/settings';
import type { AgentEvent } from '../../src/common/events';
import { listeningPorts } from '../support/sockets';
import { eventually, testApi } from './support';

/** Of the type that each asks for, and never the default. */
function planted(name: SettingName): unknown {
  if (name === 'permission.mode') return 'acceptEdits';
  if (name === 'shell.backend') return 'pipe';
  if (name === 'shell.sandbox') return 'auto';
  const { default: usual } = SETTINGS[name];
  if (typeof usual === 'number') return usual + 1;
  if (typeof usual === 'boolean') return !usual;
  if (Array.isArray(usual)) return ['bash'];
  if (typeof usual === 'object') return { planted: { command: 'touch planted' } };
  const CHOICES = ['off', 'onRun', 'always', 'never', 'block', 'planted'];
  return CHOICES.find((choice) => choice !== usual && isDeclared(name, choice)) ?? 'planted';
}

function isDeclared(name: SettingName, value: string): boolean {
  const manifest = vscode.extensions.getExtension('lathe.lathe')?.packageJSON as {
    contributes: { configuration: { properties: Record<string, { enum?: string[] }> } };
  };
  return manifest.contributes.configuration.properties[`lathe.${name}`]?.enum?.includes(value) ?? true;
}

const THE_PERSONS = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].scope !== 'resource');

describe('S51 a workspace’s settings', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = () => vscode.Uri.joinPath(folder(), '.vscode', 'settings.json');
  const tabSize = () => vscode.workspace.getConfiguration('editor').inspect('tabSize')?.workspaceValue;

  async function plant(text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(file(), Buffer.from(text));
    await eventually('the editor has read the workspace’s settings', () => tabSize() === 7 || undefined);
  }
  afterEach(async () => {
    await vscode.workspace.fs.delete(file());
    await eventually('the editor has forgotten them', () => tabSize() === undefined || undefined);
  });

  it('S51: none that is the person’s counts, whatever it says, and all are named', async () => {
    const { host } = await testApi();
    const before = THE_PERSONS.map((name) => host.settings.get(name));
    const own = Object.fromEntries(THE_PERSONS.map((name) => [`lathe.${name}`, planted(name)]));
    await plant(JSON.stringify({ 'editor.tabSize': 7, ...own }));
    assert.deepEqual(
      THE_PERSONS.map((name) => host.settings.get(name)),
      before,
    );
    assert.deepEqual(await host.settings.ignored?.(), THE_PERSONS);
  });

  it('S51: one that asks for bypass changes no mode, and a session says so once', async () => {
    const { app } = await testApi();
    await plant(
      '{ // a comment\n "editor.tabSize": 7, "lathe.permission.mode": "bypass", "lathe.permission.deny": [], }',
    );
    const { session } = await app.sessions.start();
    const notices: string[] = [];
    session.subscribe((event: AgentEvent) => event.type === 'notice' && notices.push(event.text));
    assert.equal(session.mode(), 'ask');
    for (const text of ['Hello', 'Hello again']) {
      const turn = session.prompt(text);
      await eventually('the turn has begun to be answered', () => notices.length > 0 || undefined);
      session.stop();
      await turn;
    }
    assert.deepEqual(
      notices.filter((text) => text.includes('lathe.')),
      [
        'The settings of this workspace name lathe.permission.mode, which is yours alone to set. It has no effect here.',
      ],
    );
    assert.equal(session.mode(), 'ask');
    session.dispose();
  });
});

describe('S60 in the editor', () => {
  it('S60: the process that extensions run in listens on no port', async function () {
    if (process.platform !== 'linux') return this.skip();
    const { host } = await testApi();
    const signal = new AbortController().signal;
    await host.search.files({ pattern: '*.md', path: host.roots()[0]!.path, maxFiles: 9 }, signal);
    assert.deepEqual(listeningPorts(), []);
  });
});

// What a command changes, in the editor: it is under review as any change of the agent's, and what is saved meanwhile is not the command's.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EventOf } from '../../src/common/events';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer } from '../support/model-server/server';
import { closeAll, eventually, makeFile, onDisk, show, testApi, typeAtEnd } from './support';

/** One command by a scripted model; answers which files are told as changed. `meanwhile` runs when the command has begun. */
async function run(command: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<readonly string[]> {
  const replies = [reply(toolUse('bash', { command })), reply(text('Done'))];
  const server = await startModelServer(replies, { apiKey: 'sk-test' });
  const told: EventOf<'files/changed'>[] = [];
  let doing: Promise<unknown> = Promise.resolve();
  try {
    await (
      await testApi()
    ).runPrompt({
      ...{ prompt: 'Run it', mode: 'bypass', baseUrl: server.url, apiKey: 'sk-test' },
      onEvent: (event) => {
        if (event.type === 'files/changed') told.push(event);
        if (event.type === 'tool/started') doing = meanwhile();
      },
    });
    await doing;
    return told.flatMap(({ files }) => files.map(({ path }) => path));
  } finally {
    await server.close();
  }
}

describe('commands that change files, in the editor', () => {
  afterEach(closeAll);

  it('complaint 34: are under review', async () => {
    const { app } = await testApi();
    const path = await makeFile('a.txt', 'one\ntwo\n');
    assert.deepEqual(await run(`sed -i s/one/1/ '${path}'`), [path]);
    const reviewed = await eventually('the file is under review', () =>
      app.review.files().find((file) => file.path === path),
    );
    assert.deepEqual([reviewed.change, reviewed.added, reviewed.removed], ['edited', 1, 1]);
  });

  it('are not told of what the person saves meanwhile', async () => {
    const path = await makeFile('b.txt', 'one\n');
    const editor = await show(path);
    const save = async () => {
      await typeAtEnd(editor, 'mine\n');
      await vscode.workspace.saveAll();
    };
    const wait = `for i in $(seq 100); do grep -q mine '${path}' && exit 0; sleep 0.1; done`;
    assert.deepEqual(await run(`${wait}; exit 1`, save), []);
    assert.equal(await onDisk(path), 'one\nmine\n');
  });
});

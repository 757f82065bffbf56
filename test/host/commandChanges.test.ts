// What a command changes, in the editor: it is under review as any change of the agent's, and what is saved meanwhile is not the command's.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { EventOf } from '../../src/common/events';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { startModelServer } from '../support/model-server/server';
import { closeAll, eventually, makeFile, onDisk, show, testApi, typeAtEnd } from './support';

/** One command, or these calls, by a scripted model; answers which files are told as changed. `meanwhile` runs when the last has begun. */
async function run(
  command: string | readonly Reply[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<readonly string[]> {
  const calls = typeof command === 'string' ? [reply(toolUse('bash', { command }))] : command;
  const server = await startModelServer([...calls, reply(text('Done'))], { apiKey: 'sk-test' });
  let begun = 0;
  const told: EventOf<'files/changed'>[] = [];
  let doing: Promise<unknown> = Promise.resolve();
  try {
    await (
      await testApi()
    ).runPrompt({
      ...{ prompt: 'Run it', mode: 'bypass', baseUrl: server.url, apiKey: 'sk-test' },
      onEvent: (event) => {
        if (event.type === 'files/changed') told.push(event);
        if (event.type === 'tool/started' && ++begun === calls.length) doing = meanwhile();
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

  it('X06: nor of what they save while one goes on in the background, which is theirs at once', async () => {
    const { app } = await testApi();
    const [reviewed, changed] = [await makeFile('c.txt', 'one\ntwo\n'), await makeFile('d.txt', 'one\n')];
    await run(`sed -i s/one/1/ '${reviewed}'`);
    const isReviewed = () => app.review.files().some(({ path }) => path === reviewed);
    await eventually('the file is under review', isReviewed);
    const editor = await show(reviewed);
    const takeBack = async () => {
      assert.ok(await editor.edit((edit) => edit.replace(editor.document.lineAt(0).range, 'one')));
      await vscode.workspace.saveAll();
      await eventually('nothing is left to review', () => !isReviewed());
      await writeFile(`${changed}.go`, '');
    };
    const command = `echo ready; until test -f '${changed}.go'; do sleep 0.1; done; rm '${changed}.go'; echo 1 > '${changed}'`;
    const calls = [
      reply(toolUse('bash', { command, ready_pattern: 'ready' }, { id: 'b1' })),
      reply(toolUse('output', { id: 'b1', wait: 60 })),
    ];
    assert.deepEqual(await run(calls, takeBack), [changed]);
    assert.equal(await onDisk(reviewed), 'one\ntwo\n');
  });
});

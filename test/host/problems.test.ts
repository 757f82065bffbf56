// What language services say after an edit, in the editor: new problems only, awaited by event, and no wait where nobody answers.
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer } from '../support/model-server/server';
import { closeAll, eventually, makeFile, show, testApi } from './support';

/** A language service of the test's own: each `BAD` in a file of its kind is an error, told a while after the change. */
function badFinder(kind: string, delayMs: number): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('bad');
  const waiting = new Set<NodeJS.Timeout>();
  const look = (document: vscode.TextDocument) => {
    if (!document.uri.path.endsWith(kind)) return;
    const timer = setTimeout(() => {
      const found = [...document.getText().matchAll(/BAD/g)].map(({ index }) => {
        const start = document.positionAt(index);
        const problem = new vscode.Diagnostic(new vscode.Range(start, start.translate(0, 3)), 'This is bad.');
        return Object.assign(problem, { source: 'finder', code: 'no-bad' });
      });
      collection.set(document.uri, found);
    }, delayMs);
    waiting.add(timer);
  };
  return vscode.Disposable.from(
    collection,
    { dispose: () => waiting.forEach((timer) => clearTimeout(timer)) },
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
  );
}

/** One edit by a scripted model; answers the result of the call. */
async function edit(path: string, old_string: string, new_string: string): Promise<string> {
  const server = await startModelServer(
    [
      reply(toolUse('read', { file_path: path })),
      reply(toolUse('edit', { file_path: path, old_string, new_string }, { id: 'e1' })),
      reply(text('Done')),
    ],
    { apiKey: 'sk-test' },
  );
  try {
    const api = await testApi();
    let result = '';
    await api.runPrompt({
      ...{ prompt: 'Edit it', mode: 'bypass', baseUrl: server.url, apiKey: 'sk-test' },
      onEvent: (event) => {
        if (event.type === 'tool/finished' && event.call === 'e1') result = event.text;
      },
    });
    return result;
  } finally {
    await server.close();
  }
}

const shown = (path: string) => `${basename(dirname(path))}/${basename(path)}`;

describe('O29: problems after an edit', () => {
  afterEach(closeAll);

  it('are told where they are new, however late they come within reason, and with their lines moved', async () => {
    const finder = badFinder('.bad', 300);
    try {
      const path = await makeFile('a.bad', 'one\nBAD\nthree\n');
      await show(path);
      await eventually('the old problem', () => vscode.languages.getDiagnostics(vscode.Uri.file(path))[0]);
      const result = await edit(path, 'one', 'one\nnew line\nBAD here');
      assert.equal(
        result.split('\n').slice(-2).join('\n'),
        `New problems since this change:\n${shown(path)}:3 error: This is bad. (finder no-bad)`,
      );
      assert.doesNotMatch(await edit(path, 'three', 'drei'), /problems/);
    } finally {
      finder.dispose();
    }
  });

  it('are told of a file that no editor shows', async () => {
    const finder = badFinder('.bad', 50);
    try {
      const path = await makeFile('b.bad', 'one\n');
      assert.match(await edit(path, 'one', 'BAD'), /b\.bad:1 error: This is bad\./);
    } finally {
      finder.dispose();
    }
  });

  it('are cut at ten', async () => {
    const finder = badFinder('.bad', 50);
    try {
      const path = await makeFile('c.bad', 'one\n');
      const lines = (await edit(path, 'one', Array(14).fill('BAD').join('\n'))).split('\n');
      assert.equal(lines.filter((line) => line.includes('This is bad.')).length, 10);
      assert.equal(lines.at(-1), '… and 4 more');
    } finally {
      finder.dispose();
    }
  });

  it('are not waited for where nobody ever says anything', async () => {
    const api = await testApi();
    const path = await makeFile('notes.quiet', 'one\n');
    const watch = await api.host.problems?.watch([path]);
    const settled = watch?.settled(new AbortController().signal);
    const first = await Promise.race([settled?.then(() => 'settled'), new Promise((done) => setTimeout(done, 1_000))]);
    assert.equal(first, 'settled');
  });

  it('are not waited for after Stop', async () => {
    const api = await testApi();
    const finder = badFinder('.bad', 60_000);
    try {
      const path = await makeFile('d.bad', 'one\n');
      const watch = await api.host.problems?.watch([path]);
      assert.ok(watch);
      assert.deepEqual((await watch.settled(AbortSignal.abort())).problems, watch.before);
    } finally {
      finder.dispose();
    }
  });

  it('come from TypeScript’s own service', async () => {
    const service = vscode.extensions.getExtension('vscode.typescript-language-features');
    assert.ok(service, 'It is part of the editor.');
    await service.activate();
    const path = await makeFile('a.ts', 'const n: number = 1;\nexport { n };\n');
    await show(path);
    const result = await edit(path, '= 1;', "= 'one';");
    assert.match(result, /a\.ts:1 error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)/);
  });
});

// Reviewing the agent's changes in the ordinary editor: seen, kept and undone by hunk and by file, while the person goes on working.
import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension';
import { isProblem, type EditOrigin, type FileChange } from '../../src/core/host';
import { baselineOf } from '../../src/vscode/review/baselines';
import { matching, reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer } from '../support/model-server/server';
import { closeAll, eventually, freePath, makeFile, onDisk, show, testApi, typeAtEnd } from './support';

const MAX_BYTES = 1024 * 1024;
const LINES = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`);
const TEXT = `${LINES.join('\n')}\n`;
/** As the agent leaves it: two changes with the person's lines between. */
const EDITED = TEXT.replace('line 3', 'LINE 3').replace('line 15', 'LINE 15\nmore');
const ORIGIN: EditOrigin = {
  session: 'session_review',
  turn: 'turn_1',
  call: 'call_1',
  prompt: 'Shout [here](command:lathe.stop) please',
  title: 'Edit a.txt',
  time: 1_700_000_000_000,
};

describe('review in the editor', () => {
  let api: TestApi;
  const review = () => api.app.review;
  const run = (command: string, ...args: unknown[]) =>
    vscode.commands.executeCommand(`lathe.review.${command}`, ...args);

  before(async () => {
    api = await testApi();
  });

  afterEach(async () => {
    const { reviews } = await review().load();
    for (const { path } of reviews.files()) reviews.keep(path);
    await closeAll();
  });

  async function apply(change: FileChange, origin: EditOrigin | undefined = ORIGIN): Promise<void> {
    const plan = { label: 'Edit', call: origin.call, changes: [change], origin };
    const outcome = await api.host.edits.apply(plan);
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
    await (await review().load()).follower.idle();
  }

  async function versionOf(path: string): Promise<string> {
    const version = await api.host.files.version(path);
    assert.ok(typeof version === 'string');
    return version;
  }

  /** A file that the agent has changed from `before` to `after`, as a whole text. */
  async function edited(before = TEXT, after = EDITED): Promise<string> {
    const path = await makeFile('a.txt', before);
    await rewrite(path, after);
    return path;
  }

  async function rewrite(path: string, after: string, origin = ORIGIN): Promise<void> {
    const file = await api.host.files.text(path, MAX_BYTES);
    assert.ok(!isProblem(file));
    const splices = [{ start: 0, end: file.text.length, text: after }];
    await apply({ kind: 'edit', path, baseVersion: file.version, splices }, origin);
  }

  async function hunksOf(path: string) {
    const { reviews, follower } = await review().load();
    await follower.settle(path);
    return reviews.hunks(path);
  }

  async function ranges(path: string) {
    return (await hunksOf(path)).map(({ start, end }) => [start, end]);
  }

  const uriOf = (path: string) => vscode.Uri.file(path);
  const baseline = async (path: string) => (await vscode.workspace.openTextDocument(baselineOf(uriOf(path)))).getText();

  it('#41: lists the files that the agent changed, with counts, until they are kept', async () => {
    const path = await edited();
    const made = freePath('b.txt');
    await apply({ kind: 'create', path: made, text: 'new\n' });
    assert.deepEqual(review().files(ORIGIN.session), [
      { path, change: 'edited', added: 3, removed: 2, sessions: [ORIGIN.session] },
      { path: made, change: 'created', added: 1, removed: 0, sessions: [ORIGIN.session] },
    ]);
    assert.deepEqual(review().files('another session'), []);
    await run('keepFile', { resourceUri: uriOf(path) });
    assert.deepEqual(
      review()
        .files()
        .map((file) => file.path),
      [made],
    );
    await run('keepAll');
    assert.deepEqual(review().files(), []);
    assert.deepEqual([await onDisk(path), await onDisk(made)], [EDITED, 'new\n']);
  });

  it('I1: the editor compares with the text from before the agent', async () => {
    const path = await edited();
    assert.equal(await baseline(path), TEXT);
    const [first] = await hunksOf(path);
    await run('keepChange', uriOf(path).toString(), first?.id);
    const kept = TEXT.replace('line 3', 'LINE 3');
    await eventually('the text compared with follows', async () => (await baseline(path)) === kept);
  });

  it('#42: one change is undone, and the other one and what is unsaved stay', async () => {
    const path = await edited();
    const editor = await show(path);
    await typeAtEnd(editor, 'mine');
    assert.deepEqual(await ranges(path), [
      [2, 3],
      [14, 16],
    ]);
    const [, second] = await hunksOf(path);
    await run('undoChange', uriOf(path).toString(), second?.id);
    const { document } = editor;
    assert.equal(document.getText(), `${TEXT.replace('line 3', 'LINE 3')}mine`);
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk(path), EDITED);
    assert.deepEqual(await ranges(path), [[2, 3]]);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), `${EDITED}mine`, 'it is one step of the editor’s undo');
    assert.deepEqual(await ranges(path), [
      [2, 3],
      [14, 16],
    ]);
  });

  it('#42: a change is kept and undone at the cursor', async () => {
    const path = await edited();
    const editor = await show(path);
    const at = (line: number) => {
      editor.selection = new vscode.Selection(line, 0, line, 0);
    };
    at(15);
    await run('undoChange');
    assert.equal(editor.document.getText(), TEXT.replace('line 3', 'LINE 3'));
    assert.equal(editor.document.isDirty, false);
    at(8);
    await run('undoChange');
    assert.equal(editor.document.getText(), TEXT.replace('line 3', 'LINE 3'), 'there is none at the cursor');
    at(2);
    await run('keepChange');
    assert.deepEqual(review().files(), []);
  });

  it('#42: the menu of the editor’s own change marks names the change by its lines', async () => {
    const path = await edited(TEXT, EDITED.replace('line 9\n', ''));
    // As the editor hands them over: from 1, and what was taken out lies after a line.
    const changes = [
      { originalStartLineNumber: 3, originalEndLineNumber: 3, modifiedStartLineNumber: 3, modifiedEndLineNumber: 3 },
      { originalStartLineNumber: 9, originalEndLineNumber: 9, modifiedStartLineNumber: 8, modifiedEndLineNumber: 0 },
    ];
    await run('undoChange', uriOf(path), changes, 1);
    assert.equal(await onDisk(path), EDITED);
    await run('undoChange', uriOf(path), changes, 0);
    assert.equal(await onDisk(path), EDITED.replace('LINE 3', 'line 3'));
  });

  it('I1: what the person types is never the agent’s, and undoing all leaves it', async () => {
    const path = await edited();
    const editor = await show(path);
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(9, 0), 'typed\n')));
    assert.deepEqual(await ranges(path), [
      [2, 3],
      [15, 17],
    ]);
    await editor.document.save();
    await run('undoFile', uriOf(path));
    assert.equal(await onDisk(path), TEXT.replace('line 10', 'typed\nline 10'));
    assert.deepEqual(review().files(), []);
  });

  it('I1: typing is followed while nobody asks', async () => {
    const path = await edited();
    const editor = await show(path);
    assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed\n')));
    const { reviews } = await review().load();
    await eventually('the change has moved with its lines', () => reviews.hunks(path)[0]?.start === 3);
  });

  it('a change that is not there any more is told, and nothing is guessed', async () => {
    const path = await edited();
    const [first] = await hunksOf(path);
    await writeFile(path, EDITED.replace('LINE 3', 'line 3'));
    await run('undoChange', uriOf(path).toString(), first?.id);
    assert.equal(await onDisk(path), EDITED.replace('LINE 3', 'line 3'));
  });

  it('I1: what another program writes to a closed file is followed', async () => {
    const path = await edited();
    await closeAll();
    await writeFile(path, `top\n${EDITED}`);
    const { reviews } = await review().load();
    await eventually('the change has moved', () => reviews.hunks(path)[0]?.start === 3);
    assert.equal(reviews.baseline(path), `top\n${TEXT}`);
  });

  it('a file that the person deletes leaves review', async () => {
    const path = await edited();
    await closeAll();
    await rm(path);
    await eventually('it is not under review', () => review().files().length === 0);
  });

  it('a file that the person renames is followed', async () => {
    const path = await edited();
    const to = path.replace('a.txt', 'c.txt');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uriOf(path), uriOf(to));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await eventually('it is under review by its new name', () => review().files()[0]?.path === to);
    assert.deepEqual(await ranges(to), [
      [2, 3],
      [14, 16],
    ]);
    await run('undoFile', uriOf(to));
    assert.equal(await onDisk(to), TEXT);
  });

  it('#41: undoing removes what the agent made, and brings back what it deleted or moved', async () => {
    const made = freePath('made.txt');
    await apply({ kind: 'create', path: made, text: 'new\n' });
    const gone = await makeFile('gone.txt', TEXT);
    await apply({ kind: 'delete', path: gone, baseVersion: await versionOf(gone) });
    const moved = await makeFile('moved.txt', TEXT);
    const to = moved.replace('moved.txt', 'there.txt');
    await apply({ kind: 'move', path: moved, to, baseVersion: await versionOf(moved) });
    assert.deepEqual(
      review()
        .files()
        .map(({ path, change, from }) => ({ path, change, from })),
      [
        { path: made, change: 'created', from: undefined },
        { path: gone, change: 'deleted', from: undefined },
        { path: to, change: 'moved', from: moved },
      ],
    );
    await run(
      'undoFile',
      ...review()
        .files()
        .map(({ path }) => ({ resourceUri: uriOf(path) })),
    );
    assert.equal(await api.host.files.stat(made), undefined);
    assert.equal(await onDisk(gone), TEXT);
    assert.equal(await onDisk(moved), TEXT);
    assert.equal(await api.host.files.stat(to), undefined);
    assert.deepEqual(review().files(), []);
  });

  it('#42: Keep, Undo and the prompt stand above each change, unless that is switched off', async () => {
    const path = await edited();
    await show(path);
    const titles = async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uriOf(path),
      );
      return lenses
        .filter(({ command }) => command?.command.startsWith('lathe.'))
        .map(({ range, command }) => `${range.start.line} ${command?.title}`);
    };
    const from = 'from “Shout [here](command:lathe.stop) please”';
    const all = [2, 14].flatMap((line) => [`${line} Keep`, `${line} Undo`, `${line} ${from}`]);
    assert.deepEqual(
      await eventually('the lenses', async () => ((await titles()).length > 0 ? titles() : undefined)),
      all,
    );
    const settings = vscode.workspace.getConfiguration('lathe');
    await settings.update('review.codeLens', false, vscode.ConfigurationTarget.Global);
    await eventually('the lenses are gone', async () => (await titles()).length === 0);
    await settings.update('review.codeLens', undefined, vscode.ConfigurationTarget.Global);
    await eventually('the lenses are back', async () => (await titles()).length === all.length);
  });

  it('I5: hovering over a line of the agent’s tells its prompt and its call, as text', async () => {
    const path = await edited();
    await show(path);
    const hoverAt = async (line: number) => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uriOf(path),
        new vscode.Position(line, 0),
      );
      return hovers
        .flatMap(({ contents }) => contents as vscode.MarkdownString[])
        .find(({ value }) => value.includes('Lathe'));
    };
    const hover = await eventually('the hover', () => hoverAt(2));
    assert.match(hover.value, /Edit&nbsp;a\\?\.txt/);
    assert.match(hover.value, /Shout&nbsp;\\\[here\\\]/);
    assert.match(hover.value, /\]\(command:lathe\.review\.showOrigin\?/);
    assert.equal(await hoverAt(8), undefined);
  });

  it('#42: the next change is found in this file and then in the next one', async () => {
    const first = await edited();
    const second = await edited();
    await show(first);
    const place = () => {
      const editor = vscode.window.activeTextEditor;
      return [editor?.document.uri.fsPath, editor?.selection.active.line];
    };
    const seen: unknown[] = [];
    for (const step of ['next', 'next', 'next', 'next', 'next', 'previous'] as const) {
      await run(step);
      seen.push(place());
    }
    assert.deepEqual(seen, [
      [first, 2],
      [first, 14],
      [second, 2],
      [second, 14],
      [first, 2],
      [second, 14],
    ]);
  });

  it('all changes open in one editor', async () => {
    await edited();
    await edited();
    await run('openAll');
    await eventually('the tab', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Changes by Lathe'),
    );
  });

  it('switched off, nothing is under review and files stay as they are', async () => {
    const path = await edited();
    const settings = vscode.workspace.getConfiguration('lathe');
    await settings.update('review.enabled', false, vscode.ConfigurationTarget.Global);
    await eventually('nothing is under review', () => review().files().length === 0);
    await rewrite(path, TEXT);
    assert.deepEqual(review().files(), []);
    await settings.update('review.enabled', undefined, vscode.ConfigurationTarget.Global);
    assert.equal(await onDisk(path), TEXT);
  });

  it('a file renamed on disk by another program leaves review', async () => {
    const path = await edited();
    await closeAll();
    await rename(path, path.replace('a.txt', 'd.txt'));
    await eventually('it is not under review', () => review().files().length === 0);
  });

  it('complaint 10: what the person took back is told to the model with its next request, once', async () => {
    const path = await makeFile('told.txt', TEXT);
    const server = await startModelServer([
      reply(toolUse('read', { file_path: path })),
      reply(toolUse('edit', { file_path: path, old_string: 'line 3\n', new_string: 'LINE 3\n' }), {
        when: { lastToolResult: matching(/line 3/) },
      }),
      reply(text('Done.')),
      reply(text('I see.')),
      reply(text('Yes.')),
    ]);
    const settings = vscode.workspace.getConfiguration('lathe');
    await settings.update('baseUrl', server.url, vscode.ConfigurationTarget.Global);
    try {
      const { session } = await api.app.sessions.start();
      session.setMode('acceptEdits');
      assert.equal(await session.prompt('Shout line 3'), 'done');
      const [hunk] = await hunksOf(path);
      assert.deepEqual(
        hunk?.origins.map(({ session: id, prompt }) => ({ id, prompt })),
        [{ id: session.id, prompt: 'Shout line 3' }],
      );
      await run('undoChange', uriOf(path).toString(), hunk?.id);
      assert.equal(await onDisk(path), TEXT);
      await session.prompt('And now?');
      await session.prompt('Really?');
      const bodies = server.messageRequests().map(({ body }) => JSON.stringify(body));
      const notes = bodies.map((body) => body.split('took back these changes of yours').length - 1);
      assert.deepEqual(notes, [0, 0, 0, 1, 1]);
      assert.match(bodies[3] ?? '', /-line 3\\n\+LINE 3/);
      assert.deepEqual(server.problems(), []);
    } finally {
      await settings.update('baseUrl', undefined, vscode.ConfigurationTarget.Global);
      await server.close();
    }
  });
});

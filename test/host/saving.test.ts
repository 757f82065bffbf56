// What is saved when, what runs on save, and what the person sees of it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorTools, outcomeOf, replacing, startEditing } from './editing';
import { closeAll, eventually, makeFile, onDisk, show, typeAtEnd, withSetting } from './support';

const SAVED = { isSaved: true, wasReformatted: false };
const UNSAVED = { isSaved: false, wasReformatted: false };

function whole(document: vscode.TextDocument, text: string): vscode.TextEdit {
  return vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), text);
}

describe('saving in the editor', () => {
  afterEach(closeAll);

  interface Policy {
    readonly save: 'clean' | 'always' | 'never';
    readonly typed: string;
    readonly isSaved: boolean;
  }

  function checkPolicy({ save, typed, isSaved }: Policy): void {
    it(`O27: ${save} ${isSaved ? 'saves' : 'leaves'} a file ${typed === '' ? 'without' : 'with'} unsaved changes`, async () => {
      const { edits, apply } = startEditing({ 'edits.save': save });
      const path = await makeFile('a.txt', 'one\n');
      if (typed !== '') await typeAtEnd(await show(path), typed);
      const outcome = await apply(await replacing(path, 'one', 'ONE'));
      assert.deepEqual(outcomeOf(outcome), [{ text: `ONE\n${typed}`, ...(isSaved ? SAVED : UNSAVED) }]);
      assert.equal(outcome.ok && typeof outcome.files[0]?.unsavedBecause, isSaved ? 'undefined' : 'string');
      assert.equal(await onDisk(path), isSaved ? `ONE\n${typed}` : 'one\n');
      // As before a command.
      await edits.save();
      assert.equal(await onDisk(path), `ONE\n${typed}`);
    });
  }

  checkPolicy({ save: 'clean', typed: '', isSaved: true });
  checkPolicy({ save: 'clean', typed: 'mine\n', isSaved: false });
  checkPolicy({ save: 'always', typed: '', isSaved: true });
  checkPolicy({ save: 'always', typed: 'mine\n', isSaved: true });
  checkPolicy({ save: 'never', typed: '', isSaved: false });
  checkPolicy({ save: 'never', typed: 'mine\n', isSaved: false });

  interface OnSave {
    readonly what: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly register?: () => vscode.Disposable;
    readonly before: string;
    readonly edit: readonly [string, string];
    readonly after: string;
  }

  const pattern = { pattern: '**/*.onsave' };

  function checkOnSave({ what, settings, register, before, edit, after }: OnSave): void {
    it(`O27: tells what ${what} changed on save`, async () => {
      const provider = register?.();
      const { apply, told } = startEditing();
      const [[name, value] = ['', undefined], ...more] = Object.entries(settings);
      assert.equal(more.length, 0);
      try {
        await withSetting(name, value, async () => {
          const path = await makeFile('a.onsave', before);
          const outcome = await apply(await replacing(path, ...edit));
          assert.deepEqual(outcomeOf(outcome), [{ text: after, isSaved: true, wasReformatted: true }]);
          assert.equal(await onDisk(path), after);
          assert.deepEqual(
            told.map((change) => [change.before, change.after]),
            [[before, after]],
          );
        });
      } finally {
        provider?.dispose();
      }
    });
  }

  checkOnSave({
    what: 'a formatter',
    settings: { 'editor.formatOnSave': true },
    register: () =>
      vscode.languages.registerDocumentFormattingEditProvider(pattern, {
        provideDocumentFormattingEdits: (document) => [whole(document, document.getText().replaceAll('  ', ' '))],
      }),
    before: 'one two\n',
    edit: ['two', 'two  three'],
    after: 'one two three\n',
  });

  for (const kind of ['source.organizeImports', 'source.fixAll']) {
    checkOnSave({
      what: kind,
      settings: { 'editor.codeActionsOnSave': { [kind]: 'explicit' } },
      register: () => {
        const provided = vscode.CodeActionKind.Empty.append(kind);
        return vscode.languages.registerCodeActionsProvider(
          pattern,
          {
            provideCodeActions: (document) => {
              const action = new vscode.CodeAction('Sort', provided);
              action.edit = new vscode.WorkspaceEdit();
              const sorted = document.getText().trimEnd().split('\n').sort().join('\n');
              action.edit.set(document.uri, [whole(document, `${sorted}\n`)]);
              return [action];
            },
          },
          { providedCodeActionKinds: [provided] },
        );
      },
      before: 'b\nc\n',
      edit: ['c', 'a'],
      after: 'a\nb\n',
    });
  }

  checkOnSave({
    what: 'trimming blanks',
    settings: { 'files.trimTrailingWhitespace': true },
    before: 'one\ntwo\n',
    edit: ['two', 'two  '],
    after: 'one\ntwo\n',
  });
  checkOnSave({
    what: 'ending the last line',
    settings: { 'files.insertFinalNewline': true },
    before: 'one',
    edit: ['one', 'two'],
    after: 'two\n',
  });

  it('R05: the model is told what a formatter made of its edit, and may edit that at once', async () => {
    const tools = await editorTools();
    await withSetting('files.trimTrailingWhitespace', true, async () => {
      const file_path = await makeFile('a.onsave', 'one\ntwo\n');
      await tools.call('read', { file_path });
      const first = await tools.call('edit', { file_path, old_string: 'two', new_string: 'two  ' });
      assert.match(first.text, /^Edited .*\nOn save the file was changed further.*\n(.*\n)*-\s*two {2}\n\+\s*two$/m);
      // Not an exact match, so it has to stand on a read of the present text.
      const second = await tools.call('edit', { file_path, old_string: ' one\n two', new_string: ' one\n three' });
      assert.equal(second.status, 'done', second.text);
      assert.equal(await onDisk(file_path), 'one\nthree\n');
    });
  });

  it('O27: a formatter that fails is no reason not to save', async () => {
    const provider = vscode.languages.registerDocumentFormattingEditProvider(pattern, {
      provideDocumentFormattingEdits: () => {
        throw new Error('broken');
      },
    });
    try {
      await withSetting('editor.formatOnSave', true, async () => {
        const path = await makeFile('a.onsave', 'one\n');
        const outcome = await startEditing().apply(await replacing(path, 'one', 'two'));
        assert.deepEqual(outcomeOf(outcome), [{ text: 'two\n', ...SAVED }]);
      });
    } finally {
      provider.dispose();
    }
  });

  it('O27: where a formatter hangs the edit stays in the editor, and says so', async () => {
    let release = () => {};
    const hanging = new Promise<void>((resolve) => (release = resolve));
    const provider = vscode.languages.registerDocumentFormattingEditProvider(pattern, {
      provideDocumentFormattingEdits: () => hanging.then(() => []),
    });
    try {
      await withSetting('editor.formatOnSave', true, async () => {
        const path = await makeFile('a.onsave', 'one\n');
        const { apply } = startEditing({}, { saveLimitMs: 1_000 });
        const outcome = await apply(await replacing(path, 'one', 'two'));
        assert.deepEqual(outcomeOf(outcome), [{ text: 'two\n', ...UNSAVED }]);
        assert.match((outcome.ok && outcome.files[0]?.unsavedBecause) || '', /runs on save/);
        release();
        await eventually('it is saved', async () => (await onDisk(path)) === 'two\n' || undefined);
      });
    } finally {
      release();
      provider.dispose();
    }
  });

  it('tells which documents it is changing, what runs on save included', async () => {
    const { edits, apply } = startEditing();
    const seen: boolean[] = [];
    const path = await makeFile('a.txt', 'one \n');
    const editor = await show(path);
    const listener = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document === editor.document && contentChanges.length > 0) seen.push(edits.isChanging(document));
    });
    try {
      await withSetting('files.trimTrailingWhitespace', true, async () => {
        assert.ok((await apply(await replacing(path, 'one', 'two'))).ok);
        await typeAtEnd(editor, 'mine');
        assert.deepEqual(seen, [true, true, false]);
      });
    } finally {
      listener.dispose();
    }
  });

  function openTabs(): readonly string[] {
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
  }

  async function editAnother(isFollowing: boolean) {
    const { apply } = startEditing({ 'edits.follow': isFollowing });
    const shown = await show(await makeFile('shown.txt', 'mine\n'));
    const path = await makeFile('edited.txt', `${'line\n'.repeat(500)}one\n`);
    assert.ok((await apply(await replacing(path, 'one', 'ONE'))).ok);
    return { shown, path };
  }

  it('opens no tab and takes no focus', async () => {
    const { shown } = await editAnother(false);
    assert.deepEqual([openTabs(), vscode.window.activeTextEditor], [['shown.txt'], shown]);
  });

  it('shows the edited place where the person follows', async () => {
    const { path } = await editAnother(true);
    assert.ok(openTabs().includes('edited.txt'));
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === path);
    assert.ok(editor);
    await eventually(
      'the first change is in view',
      () => editor.visibleRanges.some((range) => range.contains(new vscode.Position(500, 0))) || undefined,
    );
  });
});

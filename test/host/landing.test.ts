// Plans of several files and of files of any kind, and the person typing meanwhile: all or nothing, and nothing is lost.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isProblem } from '../../src/core/host';
import { files, outcomeOf, refused, replacing, startEditing, versionOf } from './editing';
import { closeAll, freePath, makeFile, onDisk, show, typeAtEnd } from './support';

const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xfe);
const { apply, told } = startEditing();

describe('plans in the editor', () => {
  afterEach(closeAll);

  it('T06: moves and deletes what is no text', async () => {
    const path = await makeFile('a.png', PICTURE);
    const to = join(dirname(path), 'new/b.png');
    const moved = await apply({ kind: 'move', path, to, baseVersion: await versionOf(path) });
    assert.deepEqual(outcomeOf(moved), [{ text: undefined, isSaved: true, wasReformatted: false }]);
    assert.deepEqual(await readFile(to), Buffer.from(PICTURE));
    await assert.rejects(stat(path));
    assert.ok((await apply({ kind: 'delete', path: to, baseVersion: await versionOf(to) })).ok);
    await assert.rejects(stat(to));
    const sides = { before: undefined, after: undefined, isText: false };
    assert.deepEqual(
      told.slice(-2).map(({ origin: _, call: __, ...change }) => change),
      [
        { path, change: 'moved', movedTo: to, ...sides },
        { path: to, change: 'deleted', ...sides },
      ],
    );
  });

  it('T06: puts back what is no text when a later file cannot be changed', async () => {
    const picture = await makeFile('a.png', PICTURE);
    const mixed = await makeFile('b.txt', 'a\r\nb\n');
    const plan = [
      { kind: 'delete', path: picture, baseVersion: await versionOf(picture) } as const,
      await replacing(mixed, 'b', 'B'),
    ];
    // The second file is written on disk, where its bytes are another text by then.
    const watching = vscode.workspace.onWillDeleteFiles((event) => event.waitUntil(writeFile(mixed, 'a\r\nb!\n')));
    try {
      assert.match(refused(await apply(...plan)), /has changed.*Nothing was changed/);
    } finally {
      watching.dispose();
    }
    assert.deepEqual([await readFile(picture), await onDisk(mixed)], [Buffer.from(PICTURE), 'a\r\nb!\n']);
  });

  it('O27: one undo step takes back all of a plan in a file, saved since or not', async () => {
    const [a, b] = [await makeFile('a.txt', 'one\n'), await makeFile('b.txt', 'x\r\none\r\n')];
    assert.ok((await apply(await replacing(a, 'one', 'ONE'), await replacing(b, 'one', 'ONE'))).ok);
    assert.deepEqual([await onDisk(a), await onDisk(b)], ['ONE\n', 'x\r\nONE\r\n']);
    // The editor asks whether the other files are meant too; under test it does not ask, and they are not.
    for (const path of [b, a]) {
      await show(path);
      await vscode.commands.executeCommand('undo');
    }
    await vscode.workspace.saveAll();
    assert.deepEqual([await onDisk(a), await onDisk(b)], ['one\n', 'x\r\none\r\n']);
  });

  it('O27: files of one name in two folders are changed together or not at all', async () => {
    const other = join(await mkdtemp(join(tmpdir(), 'lathe-root-')), 'a.txt');
    const here = await makeFile('a.txt', 'one\n');
    await writeFile(other, 'one\r\n');
    const plan = [await replacing(here, 'one', 'ONE'), await replacing(other, 'one', 'ONE')];
    const stale = { kind: 'delete', path: await makeFile('c.txt', 'c'), baseVersion: 'older' } as const;
    assert.match(refused(await apply(...plan, stale)), /changed since/);
    assert.deepEqual([await onDisk(here), await onDisk(other)], ['one\n', 'one\r\n']);
    assert.ok((await apply(...plan)).ok);
    assert.deepEqual([await onDisk(here), await onDisk(other)], ['ONE\n', 'ONE\r\n']);
  });

  it('R31: nothing that the person types meanwhile is lost', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const editor = await show(path);
    const { document } = editor;
    let state = 1;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const kept = { typed: '', made: 0, refused: 0 };
    for (let round = 0; round < 50; round++) {
      const [mark, made] = [`<${round}>`, random(2) === 0 ? 'ONE' : 'one'];
      const change = await replacing(path, document.getText().slice(0, 3), made);
      const typing = async () => {
        await new Promise((resolve) => setTimeout(resolve, random(25)));
        // As typing does: where somebody else was faster, it comes again on top of that.
        while (!(await editor.edit((edit) => edit.insert(document.lineAt(document.lineCount - 1).range.end, mark))));
      };
      const [outcome] = await Promise.all([apply(change), typing()]);
      kept.typed += mark;
      kept[outcome.ok ? 'made' : 'refused'] += 1;
      const start = document.getText().slice(0, 3);
      if (outcome.ok) assert.equal(start, made);
      assert.equal(document.getText(), `${start}\n${kept.typed}`);
      if (!outcome.ok) assert.match(outcome.reason, /changed since it was read|refused the change/);
    }
    assert.equal(kept.made + kept.refused, 50);
    assert.ok(kept.made > 0);
  });

  it('R36: puts bytes back under an open file, and the editor shows them', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const { document } = await show(path);
    const put = { kind: 'put', path, bytes: Buffer.from('a\r\nb\n'), baseVersion: await versionOf(path) } as const;
    assert.ok((await apply(put)).ok);
    assert.equal(await onDisk(path), 'a\r\nb\n');
    assert.deepEqual([document.getText().replaceAll('\r', ''), document.isDirty], ['a\nb\n', false]);
  });

  it('R36: puts bytes and unsaved text back over unsaved text that it knows', async () => {
    const path = await makeFile('a.txt', 'one\n');
    const editor = await show(path);
    await typeAtEnd(editor, 'mine\n');
    const known = await versionOf(path);
    await typeAtEnd(editor, 'more\n');
    const put = (baseVersion: string, unsaved?: string) =>
      apply({
        ...{ kind: 'put', path, bytes: Buffer.from('zero\n'), baseVersion },
        ...(unsaved !== undefined && { unsaved }),
      });
    assert.match(refused(await put(known)), /changed since/);
    assert.equal(editor.document.getText(), 'one\nmine\nmore\n');
    assert.ok((await put(await versionOf(path), 'zero\nyours\n')).ok);
    const look = async () => [await onDisk(path), editor.document.getText(), editor.document.isDirty];
    assert.deepEqual(await look(), ['zero\n', 'zero\nyours\n', true]);
    assert.ok((await put(await versionOf(path))).ok);
    assert.deepEqual(await look(), ['zero\n', 'zero\n', false]);
  });

  it('R36: puts back a file that is gone, with its unsaved text', async () => {
    const path = freePath('new/a.txt');
    const outcome = await apply({ kind: 'put', path, bytes: Buffer.from('one\n'), unsaved: 'one\ntwo\n' });
    assert.deepEqual(outcomeOf(outcome), [{ text: 'one\ntwo\n', isSaved: false, wasReformatted: false }]);
    const file = await files.text(path, 1e6);
    assert.deepEqual([await onDisk(path), !isProblem(file) && file.isDirty], ['one\n', true]);
  });
});

// Searching in the editor: files on disk, and open ones with their unsaved changes.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TextQuery } from '../../src/core/search';
import { editorSearch } from '../../src/vscode/files/search';
import { closeAll, makeFile, show } from './support';

const search = editorSearch();
const { signal } = new AbortController();

async function find(path: string, query: Partial<TextQuery> & { pattern: string }): Promise<string[]> {
  const found = await search.text(
    { path, globs: [], ignoreCase: false, multiline: false, before: 0, after: 0, maxMatches: 50, ...query },
    signal,
  );
  assert.ok(!('problem' in found), JSON.stringify(found));
  return found.matches.map(
    (match) => `${basename(match.path)}:${match.line}${match.isContext ? '-' : ':'}${match.text}`,
  );
}

describe('search in the editor', () => {
  let folder: string;
  let editor: Awaited<ReturnType<typeof show>>;

  before(async () => {
    const path = await makeFile('b.txt', 'old needle\n');
    folder = dirname(path);
    await writeFile(join(folder, 'a.txt'), 'first\nneedle on disk\n');
    await writeFile(join(folder, '.gitignore'), 'ignored.txt\n');
    await writeFile(join(folder, 'ignored.txt'), 'nothing\n');
    editor = await show(path);
    await editor.edit((edit) => edit.replace(editor.document.lineAt(0).range, 'new text\nlive needle'));
    const ignored = await show(join(folder, 'ignored.txt'));
    await ignored.edit((edit) => edit.insert(ignored.document.positionAt(0), 'needle '));
  });
  after(closeAll);

  function check(title: string, query: Partial<TextQuery> & { pattern: string }, expected: string[]): void {
    it(title, async () => assert.deepEqual(await find(folder, query), expected));
  }

  check('finds unsaved text, not what it replaced', { pattern: 'needle' }, [
    'a.txt:2:needle on disk',
    'b.txt:2:live needle',
  ]);
  check('with context', { pattern: 'live', before: 1 }, ['b.txt:1-new text', 'b.txt:2:live needle']);
  check('across lines', { pattern: 'text\\nlive', multiline: true }, ['b.txt:1:new text', 'b.txt:2:live needle']);
  check('with globs', { pattern: 'needle', globs: ['a.*'] }, ['a.txt:2:needle on disk']);
  check('up to a number of matches', { pattern: 'needle', maxMatches: 1 }, ['a.txt:2:needle on disk']);
  it('tells nothing of an open file that is left out, by its own path', async () =>
    assert.deepEqual(await find(folder, { pattern: 'needle', leavesOut: (path) => path === join(folder, 'b.txt') }), [
      'a.txt:2:needle on disk',
    ]));
  it('finds unsaved text in one file', async () =>
    assert.deepEqual(await find(join(folder, 'b.txt'), { pattern: 'needle' }), ['b.txt:2:live needle']));

  it('in several folders: matches that are only in the buffer, and none that are only on disk', async () => {
    const folders: string[] = [];
    for (const [onDiskText, typed] of [
      ['plain\n', 'fresh\n'],
      ['fresh\n', 'plain\n'],
    ] as const) {
      const path = await makeFile('m.txt', onDiskText);
      folders.push(dirname(path));
      const shown = await show(path);
      await shown.edit((edit) => edit.replace(shown.document.lineAt(0).rangeIncludingLineBreak, typed));
    }
    const found = await Promise.all(folders.map((each) => find(each, { pattern: 'fresh' })));
    assert.deepEqual(found, [['m.txt:1:fresh'], []]);
  });
});

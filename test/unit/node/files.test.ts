// Reading from a disk: every kind of thing a path can lead to is either text or a problem that says what to do.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import fc from 'fast-check';
import { isProblem } from '../../../src/core/host';
import { decodeText, encodeText } from '../../../src/node/text';
import { createWorkspace, inWorkspace, type Tree, type Workspace } from '../../support/workspace';

const MAX_BYTES = 1000;

describe('Files.text', () => {
  const utf16 = (text: string, mark: number[], swap: boolean) => {
    const body = Buffer.from(text, 'utf16le');
    return Buffer.concat([Buffer.from(mark), swap ? body.swap16() : body]);
  };
  const cases: readonly { what: string; tree: Tree; path: string; expected: object }[] = [
    {
      what: 'plain text',
      tree: { a: 'ä\r\nb' },
      path: 'a',
      expected: { text: 'ä\r\nb', encoding: 'utf8', isDirty: false },
    },
    { what: 'an empty file', tree: { a: '' }, path: 'a', expected: { text: '', encoding: 'utf8', isDirty: false } },
    {
      what: 'a UTF-8 mark',
      tree: { a: '\ufeffx' },
      path: 'a',
      expected: { text: 'x', encoding: 'utf8bom', isDirty: false },
    },
    {
      what: 'little-endian UTF-16',
      tree: { a: utf16('ab', [0xff, 0xfe], false) },
      path: 'a',
      expected: { text: 'ab', encoding: 'utf16le', isDirty: false },
    },
    {
      what: 'big-endian UTF-16',
      tree: { a: utf16('ab', [0xfe, 0xff], true) },
      path: 'a',
      expected: { text: 'ab', encoding: 'utf16be', isDirty: false },
    },
    {
      what: 'a link',
      tree: { a: 'x', b: { link: 'a' } },
      path: 'b',
      expected: { text: 'x', encoding: 'utf8', isDirty: false },
    },
    { what: 'nothing', tree: {}, path: 'a', expected: { problem: 'missing' } },
    { what: 'a file as a folder', tree: { a: '' }, path: 'a/b', expected: { problem: 'missing' } },
    { what: 'a folder', tree: { 'a/b': '' }, path: 'a', expected: { problem: 'directory' } },
    { what: 'a NUL byte', tree: { a: 'x\0y' }, path: 'a', expected: { problem: 'binary' } },
    { what: 'mostly control bytes', tree: { a: '\x01\x02\x03ab' }, path: 'a', expected: { problem: 'binary' } },
    {
      what: 'colour codes, which are text',
      tree: { a: '\x1b[1m\x1b[0m' },
      path: 'a',
      expected: { text: '\x1b[1m\x1b[0m', encoding: 'utf8', isDirty: false },
    },
    { what: 'Latin-1', tree: { a: Buffer.from([0x61, 0xe4]) }, path: 'a', expected: { problem: 'encoding' } },
    {
      what: 'half a UTF-16 unit',
      tree: { a: Buffer.from([0xff, 0xfe, 0x61]) },
      path: 'a',
      expected: { problem: 'encoding' },
    },
    { what: 'too many bytes', tree: { a: 'x'.repeat(MAX_BYTES + 1) }, path: 'a', expected: { problem: 'too-large' } },
    {
      what: 'a circle of links',
      tree: { a: { link: 'b' }, b: { link: 'a' } },
      path: 'a',
      expected: { problem: 'failed' },
    },
  ];
  for (const { what, tree, path, expected } of cases) {
    it(what, () =>
      inWorkspace(tree, async ({ host, path: at }) => {
        const { version, message, ...rest } = {
          version: '',
          message: '',
          ...(await host.files.text(at(path), MAX_BYTES)),
        };
        assert.deepEqual(rest, expected);
        assert.equal(version !== '', 'text' in expected);
        assert.equal(message.startsWith(at(path)), 'problem' in expected);
      }),
    );
  }

  it('never opens a pipe', () =>
    inWorkspace({ pipe: { pipe: true } }, async ({ host, path }) => {
      const found = await host.files.text(path('pipe'), MAX_BYTES);
      assert.equal(isProblem(found) && found.problem, 'not-regular');
      assert.equal((await host.files.stat(path('pipe')))?.kind, 'other');
    }));

  it('does not wait for one that has come in place of a file', () =>
    inWorkspace({ a: 'x', pipe: { pipe: true } }, async ({ host, path }) => {
      const looking = host.files.version(path('a'));
      // Nothing else runs meanwhile but the look that has been asked for.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      renameSync(path('pipe'), path('a'));
      const found = await looking;
      assert.equal(typeof found === 'string' ? found : found.problem, 'not-regular');
    }));

  if (process.platform === 'linux') {
    it('reads files without a size', async () => {
      const { host, remove } = await createWorkspace();
      const found = await host.files.text('/proc/self/status', MAX_BYTES * 100);
      assert.equal(isProblem(found), false);
      await remove();
    });
  }

  it('has one version per content', () =>
    inWorkspace({ a: 'x', b: 'x', c: 'y' }, async (workspace) => {
      const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => versionOf(workspace, name)));
      assert.equal(a, b);
      assert.notEqual(a, c);
    }));
});

async function versionOf({ host, path }: Workspace, name: string): Promise<string | undefined> {
  const found = await host.files.text(path(name), MAX_BYTES);
  return isProblem(found) ? undefined : found.version;
}

describe('Files.realPath', () => {
  const cases: readonly { what: string; tree: Tree; path: string; expected: string }[] = [
    { what: 'a file', tree: { a: '' }, path: 'a', expected: 'a' },
    { what: 'a missing file', tree: {}, path: 'x/y', expected: 'x/y' },
    {
      what: 'a missing file behind a link',
      tree: { 'real/a': '', link: { link: 'real' } },
      path: 'link/new/b',
      expected: 'real/new/b',
    },
    { what: 'a link to nothing', tree: { link: { link: 'gone/a' } }, path: 'link', expected: 'gone/a' },
    {
      what: 'a link to a link to nothing',
      tree: { one: { link: 'two' }, two: { link: 'gone' } },
      path: 'one',
      expected: 'gone',
    },
  ];
  for (const { what, tree, path, expected } of cases) {
    it(what, () =>
      inWorkspace(tree, async ({ host, path: at }) => assert.equal(await host.files.realPath(at(path)), at(expected))),
    );
  }
  it('a circle of links ends', () =>
    inWorkspace({ a: { link: 'b' }, b: { link: 'a' } }, async ({ host, path, root }) => {
      assert.ok((await host.files.realPath(path('a'))).startsWith(root));
    }));
});

describe('Files.list', () => {
  it('sorts by name and tells what links lead to', () =>
    inWorkspace({ b: '', 'a/x': '', c: { link: 'a' }, d: { link: 'gone' } }, async ({ host, root }) => {
      assert.deepEqual(await host.files.list(root), [
        { name: 'a', kind: 'directory', isLink: false },
        { name: 'b', kind: 'file', isLink: false },
        { name: 'c', kind: 'directory', isLink: true },
        { name: 'd', kind: 'other', isLink: true },
      ]);
    }));
  it('is a problem for a file', () =>
    inWorkspace({ a: '' }, async ({ host, path }) => {
      const found = await host.files.list(path('a'));
      assert.equal(isProblem(found) && found.problem, 'missing');
    }));
  it('is empty for an empty folder', () =>
    inWorkspace({}, async ({ host, path }) => {
      await mkdir(path('empty'));
      assert.deepEqual(await host.files.list(path('empty')), []);
    }));
});

describe('encoding', () => {
  const encodings = fc.constantFrom('utf8bom' as const, 'utf16le' as const, 'utf16be' as const);
  const text = fc.string({ unit: 'binary' });
  it('comes back as it went', () =>
    fc.assert(
      fc.property(text, encodings, (original, encoding) => {
        const bytes = encodeText(original, encoding);
        assert.ok(bytes);
        assert.deepEqual(decodeText(bytes), { text: original, encoding });
      }),
    ));
  it('refuses half of a surrogate pair', () => assert.equal(encodeText('a\ud800b', 'utf8'), undefined));
});

// Ignore files in folders below the top: each holds for its folder, the nearest has the last word, and what cannot be read hides.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import fc from 'fast-check';
import { IgnoreTree } from '../../../../src/core/access/ignoreTree';
import { createFiles } from '../../../../src/node/files';
import { readLines } from '../../../../src/node/lines';
import { currentPlatform } from '../../../../src/node/platform';
import { withTools } from '../../../support/toolTest';
import { createWorkspace, type Tree } from '../../../support/workspace';

interface Case {
  readonly what: string;
  /** Ignore files by their folders, '' the top. */
  readonly ignore: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  readonly open: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'one below holds for what lies below it',
    ignore: { sub: '*.txt\n/only-here\nin/there\n' },
    hidden: ['sub/a.txt', 'sub/deep/er/a.txt', 'sub/only-here', 'sub/only-here/a', 'sub/in/there'],
    open: ['a.txt', 'sub', 'sub/deep/only-here', 'sub/x/in/there', 'subtle/a.txt', 'in/there'],
  },
  {
    what: 'the nearest has the last word',
    ignore: { '': '*.log\n', sub: '!kept.log\n', 'sub/deep': 'kept.log\n' },
    hidden: ['kept.log', 'sub/a.log', 'sub/deep/kept.log', 'sub/deep/er/kept.log'],
    open: ['sub/kept.log', 'sub/other/kept.log'],
  },
  {
    what: 'what lies in an excluded folder is opened by none below it',
    ignore: { '': 'closed/\n', closed: '!*\n', 'closed/deep': '!a.txt\n' },
    hidden: ['closed', 'closed/a.txt', 'closed/deep/a.txt'],
    open: ['open/a.txt'],
  },
  {
    what: 'a folder that the nearest opens again is open with all that is in it',
    ignore: { '': 'build\n', sub: '!build\n' },
    hidden: ['build', 'build/a', 'other/build/a'],
    open: ['sub/build', 'sub/build/a'],
  },
  {
    what: 'folders with names that mean something in patterns',
    ignore: { 'a[b]*': 'x\n', '!neg #': '\\#y\n\\!z\n' },
    hidden: ['a[b]*/x', 'a[b]*/q/x', '!neg #/#y', '!neg #/!z'],
    open: ['ab/x', 'abc/x', 'neg/#y', '#y'],
  },
  {
    what: 'Windows line endings, comments and blank lines',
    ignore: { sub: '# a\r\n\r\na.txt\r\n   \r\nb/\r\n' },
    hidden: ['sub/a.txt', 'sub/b/c'],
    open: ['sub/# a', 'sub/c'],
  },
];

describe('S38 .latheignore in folders below', () => {
  for (const { what, ignore, hidden, open } of CASES) {
    it(what, async () => {
      const files = Object.fromEntries(
        Object.entries(ignore).map(([folder, text]) => [[folder, '.latheignore'].filter(Boolean).join('/'), text]),
      );
      const workspace = await createWorkspace(files);
      try {
        const tree = new IgnoreTree(workspace.host);
        const found: Record<string, boolean> = {};
        for (const place of [...hidden, ...open]) found[place] = await tree.hides([workspace.path(place)]);
        const expected = { ...from(hidden, true), ...from(open, false) };
        assert.deepEqual(found, expected);
      } finally {
        await workspace.remove();
      }
    });
  }

  const from = (places: readonly string[], is: boolean) => Object.fromEntries(places.map((place) => [place, is]));

  it('is the same as one at the top with the folder written before each pattern', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('s', 's/t'),
        fc.array(fc.constantFrom('a', '*.b', '/a', 'd/', '!a', '!d', 'd/a', '**/a', '!x.b'), { maxLength: 4 }),
        fc.constantFrom('a', 'x.b', 'd', 'd/a', 'd/x.b', 'e/a', 'e/d/a'),
        async (folder, lines, place) => {
          const written = lines.map((line) => {
            const [sign, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
            return `${sign}/${folder}/${/\/./.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
          });
          const hides = async (path: string, text: string) => memory({ [path]: text }).hides([`/w/${folder}/${place}`]);
          const nested = await hides(`/w/${folder}/.latheignore`, lines.join('\n'));
          assert.equal(nested, await hides('/w/.latheignore', written.join('\n')));
        },
      ),
      { numRuns: 300 },
    ));
});

/** On files that are only there in memory. */
function memory(texts: Readonly<Record<string, string>>): IgnoreTree {
  const stat = { kind: 'file', sizeBytes: 1, modifiedMs: 0 } as const;
  const files = {
    ...createFiles(),
    lines: readLines,
    realPath: async (path: string) => Promise.resolve(path),
    stat: async (path: string) => Promise.resolve(path in texts ? stat : undefined),
    text: async (path: string) =>
      Promise.resolve({ text: texts[path] ?? '', version: '', isDirty: false, encoding: 'utf8' }),
  };
  return new IgnoreTree({ roots: () => [{ name: 'w', path: '/w' }], platform: currentPlatform(), files });
}

describe('S38 every tool under an ignore file below', () => {
  const FILES: Tree = {
    'src/.latheignore': 'private/\n*.key\n',
    'src/a.ts': 'needle\n',
    'src/b.key': 'needle\n',
    'src/private/plan.ts': 'needle\n',
    'src/deep/c.key': 'needle\n',
    'src/deep/d.ts': 'needle\n',
    'private/e.ts': 'needle\n',
  };
  const sorted = (text: string) => text.split('\n').sort();

  it('lists, finds and searches without what it hides', () =>
    withTools(FILES, async ({ call }) => {
      const found = {
        ls: (await call('ls', { path: 'src' })).text,
        glob: sorted((await call('glob', { pattern: '**/*.{ts,key}' })).text),
        grep: sorted((await call('grep', { pattern: 'needle' })).text),
        inside: (await call('grep', { pattern: 'needle', path: 'src/deep' })).text,
        folder: (await call('read', { file_path: 'src/deep' })).text,
        none: (await call('grep', { pattern: 'nowhere', path: 'src' })).text,
      };
      assert.deepEqual(found, {
        ls: 'src/\n  deep/\n    d.ts\n  a.ts\n(3 hidden from you are left out.)',
        glob: ['private/e.ts', 'src/a.ts', 'src/deep/d.ts'],
        grep: ['private/e.ts', 'src/a.ts', 'src/deep/d.ts'],
        inside: 'src/deep/d.ts',
        folder: 'src/deep is a folder with 1 entry:\nd.ts',
        none: 'No match for nowhere in src (files hidden from you are not searched).',
      });
    }));

  it('says the same of a search whether what is hidden would match or not', () =>
    withTools(FILES, async ({ call }) => {
      const answers = ['needle', 'nothing'].map(async (pattern) =>
        (await call('grep', { pattern, glob: '*.key' })).text.replace(pattern, 'X'),
      );
      const [matching, other] = await Promise.all(answers);
      assert.equal(matching, other);
    }));

  it('reads, edits and runs nothing of it', () =>
    withTools(FILES, async ({ call }) => {
      const calls = [
        await call('read', { file_path: 'src/private/plan.ts' }),
        await call('write', { file_path: 'src/deep/new.key', content: 'x' }),
        await call('bash', { command: 'cat src/b.key' }),
        await call('bash', { command: 'cat src/*.key' }),
        await call('bash', { command: 'grep -r needle src' }),
      ];
      assert.deepEqual(
        calls.map(({ status }) => status),
        ['failed', 'failed', 'denied', 'denied', 'denied'],
      );
      assert.equal((await call('bash', { command: 'cat src/a.ts' })).status, 'done');
    }));
});

describe('S38 an ignore file that nobody can make sense of', () => {
  const check = (what: string, files: Tree, fault: string): void => {
    it(`${what}: hides all that lies beside it, and says why`, () =>
      withTools(
        { ...files, 'sub/a.txt': 'needle\n', 'sub/deep/b.txt': 'needle\n', 'c.txt': 'needle\n' },
        async (test) => {
          const { call } = test;
          const because = `All that lies beside sub/.latheignore (${fault}) is hidden, since it cannot be told what it hides: tell the person.`;
          const found = {
            read: (await call('read', { file_path: 'sub/deep/b.txt' })).text,
            ls: (await call('ls', { path: 'sub' })).text,
            grep: (await call('grep', { pattern: 'needle' })).text,
          };
          assert.deepEqual(found, {
            read: `sub/deep/b.txt is hidden from you by .latheignore. ${because}`,
            ls: `sub/\n(2 hidden from you are left out.)\n(${because})`,
            grep: 'c.txt',
          });
        },
      ));
  };
  check('too large', { 'sub/.latheignore': '#'.repeat(1024 * 1024 + 1) }, 'it is larger than 1 MB');
  check('a link', { 'sub/.latheignore': { link: '../c.txt' } }, 'it is a link');
  check('a folder', { 'sub/.latheignore/x': '' }, 'it is no file');

  it('a link that leads nowhere', () =>
    withTools({ 'sub/a.txt': 'a' }, async ({ call, path }) => {
      await symlink('nowhere', path('sub/.latheignore'));
      assert.match((await call('read', { file_path: 'sub/a.txt' })).text, /\(it is a link\) is hidden/);
    }));

  it('at the top: everything', () =>
    withTools({ '.latheignore/x': '', 'a.txt': 'a' }, async ({ call }) => {
      assert.match((await call('read', { file_path: 'a.txt' })).text, /^a\.txt is hidden from you by \.latheignore\./);
    }));
});

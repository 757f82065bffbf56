// Search by ripgrep over real folders: what is found, what is ignored, and what a wrong query is answered with.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import type { FileQuery, LineQuery, TextQuery } from '../../../src/core/search';
import { ripgrepPath, runRipgrep } from '../../../src/node/ripgrep';
import { createWorkspace, type Tree, type Workspace } from '../../support/workspace';

const TREE: Tree = {
  '.gitignore': 'node_modules/\n*.log\n!keep.log\n',
  '.hidden/h.ts': 'needle h',
  '.git/config': 'needle git',
  'a.ts': 'one\nneedle two\nthree\n',
  'src/b.ts': 'needle b\r\nNeedle B\r\n',
  'src/deep/c.js': 'foo(\n  needle,\n)\n',
  'node_modules/m/m.ts': 'needle m',
  'trace.log': 'needle log',
  'keep.log': 'needle keep',
  'bin.dat': 'needle\0',
  'latin.txt': Buffer.from('needle \xe4', 'latin1'),
  '-e': 'needle dash',
  'long.txt': `needle ${'x'.repeat(5000)}`,
};

const never = new AbortController().signal;

describe('Search', () => {
  let workspace: Workspace;
  before(async () => {
    workspace = await createWorkspace(TREE);
    await Promise.all(Object.keys(TREE).map((name, at) => utimes(workspace.path(name), 1e9 + at, 1e9 + at)));
  });
  after(() => workspace.remove());

  const query = (part: Partial<TextQuery>): TextQuery => ({
    pattern: 'needle',
    path: workspace.root,
    globs: [],
    ignoreCase: false,
    multiline: false,
    before: 0,
    after: 0,
    maxMatches: 100,
    ...part,
  });

  /** `path:line:text`, with `-` for context. */
  async function find(part: Partial<TextQuery>): Promise<readonly string[] | string> {
    const found = await workspace.host.search.text(query(part), never);
    if ('problem' in found) return found.problem;
    const lines = found.matches.map(({ path, line, text, isContext }) => {
      const mark = isContext ? '-' : ':';
      return `${path.slice(workspace.root.length + 1)}${mark}${line}${mark}${text.slice(0, 20)}`;
    });
    return found.isCut ? [...lines, '…'] : lines;
  }

  const TEXT: readonly { what: string; query: () => Partial<TextQuery>; expected: readonly string[] | RegExp }[] = [
    { what: 'refuses a NUL in the pattern', query: () => ({ pattern: 'a\0b' }), expected: /write \\x00/ },
    { what: 'refuses a NUL elsewhere', query: () => ({ type: '\0' }), expected: /NUL/ },
    {
      what: 'refuses what the system cannot pass on',
      query: () => ({ pattern: 'x'.repeat(200_000) }),
      expected: /longer than the system takes/,
    },
    {
      what: 'names the own option for line breaks',
      query: () => ({ pattern: 'a\nb' }),
      expected: /Set multiline for that\.$/,
    },
    {
      what: 'honours ignore files, skips binaries, sees hidden files, sorts by path',
      query: () => ({}),
      expected: [
        '-e:1:needle dash',
        '.hidden/h.ts:1:needle h',
        'a.ts:2:needle two',
        'keep.log:1:needle keep',
        'latin.txt:1:needle \ufffd',
        'long.txt:1:needle xxxxxxxxxxxxx',
        'src/b.ts:1:needle b',
        'src/deep/c.js:2:  needle,',
      ],
    },
    {
      what: 'ignores case',
      query: () => ({ pattern: 'NEEDLE B', ignoreCase: true }),
      expected: ['src/b.ts:1:needle b', 'src/b.ts:2:Needle B'],
    },
    {
      what: 'shows context',
      query: () => ({ pattern: 'two', before: 1, after: 1 }),
      expected: ['a.ts-1-one', 'a.ts:2:needle two', 'a.ts-3-three'],
    },
    {
      what: 'spans lines',
      query: () => ({ pattern: 'foo\\(.*\\)', multiline: true }),
      expected: ['src/deep/c.js:1:foo(', 'src/deep/c.js:2:  needle,', 'src/deep/c.js:3:)'],
    },
    {
      what: 'stops after enough matches',
      query: () => ({ maxMatches: 2 }),
      expected: ['-e:1:needle dash', '.hidden/h.ts:1:needle h', '…'],
    },
    {
      what: 'is not cut by the last match',
      query: () => ({ pattern: 'two', maxMatches: 1 }),
      expected: ['a.ts:2:needle two'],
    },
    {
      what: 'stops early in a file',
      query: () => ({ pattern: '.', path: workspace.path('a.ts'), maxPerFile: 1 }),
      expected: ['a.ts:1:one'],
    },
    {
      what: 'a glob without a slash counts at any depth',
      query: () => ({ globs: ['*.ts'] }),
      expected: ['.hidden/h.ts:1:needle h', 'a.ts:2:needle two', 'src/b.ts:1:needle b'],
    },
    {
      what: 'a glob that fits everything brings in nothing ignored',
      query: () => ({ globs: ['**/*.{ts,log}'] }),
      expected: ['.hidden/h.ts:1:needle h', 'a.ts:2:needle two', 'keep.log:1:needle keep', 'src/b.ts:1:needle b'],
    },
    {
      what: 'globs count from the folder searched',
      query: () => ({ path: workspace.path('src'), globs: ['deep/**'] }),
      expected: ['src/deep/c.js:2:  needle,'],
    },
    { what: 'a glob can exclude', query: () => ({ globs: ['src/**', '!*.js'] }), expected: ['src/b.ts:1:needle b'] },
    { what: 'a type of file', query: () => ({ type: 'js' }), expected: ['src/deep/c.js:2:  needle,'] },
    { what: 'a type and a glob', query: () => ({ type: 'ts', globs: ['src/**'] }), expected: ['src/b.ts:1:needle b'] },
    {
      what: 'one file, also an ignored one',
      query: () => ({ path: workspace.path('trace.log') }),
      expected: ['trace.log:1:needle log'],
    },
    {
      what: 'a folder that is ignored, when named',
      query: () => ({ path: workspace.path('node_modules') }),
      expected: ['node_modules/m/m.ts:1:needle m'],
    },
    {
      what: 'a file named like an option',
      query: () => ({ path: workspace.path('-e') }),
      expected: ['-e:1:needle dash'],
    },
    { what: 'nothing', query: () => ({ pattern: 'absent' }), expected: [] },
    { what: 'a pattern like an option is a pattern', query: () => ({ pattern: '--pre=./evil.sh' }), expected: [] },
    {
      what: 'a wrong pattern',
      query: () => ({ pattern: 'a(' }),
      expected: /^regex parse error:[\s\S]*unclosed group$/,
    },
    {
      what: 'a pattern ripgrep does not know',
      query: () => ({ pattern: '(?=a)' }),
      expected: /look-around.*is not supported$/,
    },
    { what: 'an unknown type', query: () => ({ type: 'nosuch' }), expected: /^unrecognized file type: nosuch$/ },
  ];
  for (const { what, query: part, expected } of TEXT) {
    it(`text: ${what}`, async () => {
      const found = await find(part());
      if (expected instanceof RegExp) assert.match(String(found), expected);
      else assert.deepEqual(found, expected);
    });
  }

  it('text: cuts long lines', async () => {
    const found = await workspace.host.search.text(query({ path: workspace.path('long.txt') }), never);
    assert.ok('matches' in found);
    assert.deepEqual(
      found.matches.map(({ text }) => text.length),
      [2000],
    );
  });

  it('text: stops when it is told to', async () => {
    assert.deepEqual(await workspace.host.search.text(query({}), AbortSignal.abort()), {
      problem: 'The search was stopped.',
    });
  });

  const FILES: readonly { pattern: string; path?: string; maxFiles?: number; expected: readonly string[] }[] = [
    { pattern: '**/*.ts', expected: ['src/b.ts', 'a.ts', '.hidden/h.ts'] },
    { pattern: '**/*.ts', maxFiles: 2, expected: ['src/b.ts', 'a.ts', '…'] },
    { pattern: '*.js', expected: ['src/deep/c.js'] },
    { pattern: 'src/*', expected: ['src/b.ts'] },
    { pattern: 'src/', expected: ['src/deep/c.js', 'src/b.ts'] },
    { pattern: '/a.ts', expected: ['a.ts'] },
    { pattern: './src/**/c.*', expected: ['src/deep/c.js'] },
    { pattern: '*.{js,log}', expected: ['keep.log', 'src/deep/c.js'] },
    { pattern: '*.[jt]s', path: 'src', expected: ['src/deep/c.js', 'src/b.ts'] },
    { pattern: './*.ts', expected: ['a.ts'] },
    { pattern: '*.nothing', expected: [] },
  ];
  for (const { pattern, path = '', maxFiles = 100, expected } of FILES) {
    it(`files: ${pattern}${path && ` in ${path}`}${maxFiles < 100 ? ` at most ${maxFiles}` : ''}`, async () => {
      const fileQuery: FileQuery = { pattern, path: workspace.path(path), maxFiles };
      const found = await workspace.host.search.files(fileQuery, never);
      assert.ok('paths' in found);
      const shown = found.paths.map((each) => each.slice(workspace.root.length + 1));
      assert.deepEqual(found.isCut ? [...shown, '…'] : shown, expected);
    });
  }

  const LINES: readonly { what: string; query: Partial<LineQuery>; expected: readonly string[] | RegExp }[] = [
    { what: 'a pattern', query: { pattern: 't[wh]' }, expected: ['2:two', '3:three'] },
    { what: 'plain text', query: { pattern: '(', isLiteral: true }, expected: ['4:f(our)'] },
    { what: 'context', query: { pattern: 'two', context: 1 }, expected: ['1-one', '2:two', '3-three'] },
    { what: 'at most so many', query: { pattern: '.', maxLines: 2 }, expected: ['1:one', '2:two', '…'] },
    { what: 'control characters', query: { pattern: 'NUL' }, expected: ['5:NUL\0'] },
    { what: 'a wrong pattern', query: { pattern: '(' }, expected: /unclosed group/ },
  ];
  for (const { what, query: part, expected } of LINES) {
    it(`lines: ${what}`, async () => {
      const lineQuery: LineQuery = { pattern: '', isLiteral: false, context: 0, maxLines: 100, maxMs: 10_000, ...part };
      const found = await workspace.host.search.lines(
        lineQuery,
        linesOf(['one', 'two', 'three', 'f(our)', 'NUL\0']),
        never,
      );
      if ('problem' in found) return assert.match(found.problem, expected as RegExp);
      const shown = found.matches.map(({ line, text, isContext }) => `${line}${isContext ? '-' : ':'}${text}`);
      assert.deepEqual(found.isCut ? [...shown, '…'] : shown, expected);
    });
  }

  it('lines: ends early although more lines come', async () => {
    async function* endless() {
      for (let at = 0; ; at++) yield `line ${at}`;
    }
    const found = await workspace.host.search.lines(
      { pattern: '5', isLiteral: false, context: 0, maxLines: 1, maxMs: 10_000 },
      endless(),
      never,
    );
    assert.deepEqual(found, { matches: [{ line: 6, text: 'line 5', isContext: false }], isCut: true, isLate: false });
  });

  it('lines: a pattern that takes too long is ended, with what was found by then', async () => {
    async function* endless() {
      yield 'first';
      for (;;) yield 'a'.repeat(60_000);
    }
    const query: LineQuery = { pattern: SLOW, isLiteral: false, context: 0, maxLines: 9, maxMs: 1_000 };
    const found = await workspace.host.search.lines(query, endless(), never);
    assert.deepEqual(found, { matches: [{ line: 1, text: 'first', isContext: false }], isCut: false, isLate: true });
  });

  it('lines: slow lines are no slow pattern', async () => {
    async function* slow() {
      for (let at = 0; at < 4; at++) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        yield 'x'.repeat(70_000);
      }
      yield 'end';
    }
    const query: LineQuery = { pattern: '^end$', isLiteral: false, context: 0, maxLines: 1, maxMs: 1_000 };
    const found = await workspace.host.search.lines(query, slow(), never);
    assert.deepEqual(found, { matches: [{ line: 5, text: 'end', isContext: false }], isCut: false, isLate: false });
  });

  it('lines: feeds a lot without leaving listeners behind', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    async function* many() {
      for (let at = 0; at < 3000; at++) yield 'x'.repeat(1000);
      yield 'end';
    }
    const query: LineQuery = { pattern: '^end$', isLiteral: false, context: 0, maxLines: 1, maxMs: 10_000 };
    const found = await workspace.host.search.lines(query, many(), never);
    process.off('warning', onWarning);
    assert.deepEqual(found, { matches: [{ line: 3001, text: 'end', isContext: false }], isCut: false, isLate: false });
    assert.deepEqual(warnings, []);
  });

  it('T06: a search that goes on for too long is ended, and says how to narrow it', async () => {
    async function* silent() {
      yield 'one\n';
      await new Promise((resolve) => setTimeout(resolve, 5_000).unref());
    }
    const end = await runRipgrep({
      ...{ args: ['--line-buffered', '--regexp=.', '--', '-'], signal: never, separator: '\n', timeoutMs: 500 },
      input: silent(),
      onLine: () => 'more',
    });
    const problem = 'The search was ended after 0.5 s. Narrow it down to a folder, a glob or a type.';
    assert.deepEqual(end, { problem, lostLines: false, isLate: false });
  });

  it('runs a ripgrep of its own', () => {
    assert.match(spawnSync(ripgrepPath(), ['--version'], { encoding: 'utf8' }).stdout, /^ripgrep \d/);
  });
});

/** Linear still, but with thousands of states to follow at each letter. */
const SLOW = 'first|(?:a{1,200}b?){1,40}Q';

async function* linesOf(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

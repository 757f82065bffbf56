// grep: contents in bounded windows that say how to go on, and paths that lead back.
import assert from 'node:assert/strict';
import { checkTool, withTools, type ToolTestOptions } from '../../support/toolTest';

const FILES = {
  'README.md': '# Title\nneedle here\n',
  '.hidden': 'needle',
  '.gitignore': 'ignored.txt\n',
  'ignored.txt': 'needle',
  'src/a.ts': 'needle a\nplain\nplain\nneedle b\n',
  'src/deep/b.ts': 'Needle\n',
  'node_modules/m/index.js': 'needle',
};

checkTool('grep', FILES, [
  {
    what: 'lists files by default',
    input: { pattern: 'needle' },
    text: '.hidden\nREADME.md\nsrc/a.ts',
    display: { kind: 'files', paths: ['.hidden', 'README.md', 'src/a.ts'], more: 0 },
  },
  {
    what: 'shows lines',
    input: { pattern: 'needle', output_mode: 'content', path: 'src' },
    text: 'src/a.ts\n1: needle a\n4: needle b',
    display: {
      kind: 'matches',
      groups: [
        {
          path: 'src/a.ts',
          count: 2,
          lines: [
            { line: 1, text: 'needle a' },
            { line: 4, text: 'needle b' },
          ],
        },
      ],
      total: 2,
      more: 0,
    },
  },
  {
    what: 'shows lines around',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-C': 1 },
    text: 'src/a.ts\n1: needle a\n2- plain\n3- plain\n4: needle b',
  },
  {
    what: 'parts what does not follow',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-B': 1 },
    text: 'src/a.ts\n1: needle a\n--\n3- plain\n4: needle b',
  },
  {
    what: 'leaves numbers out',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-n': false },
    text: 'src/a.ts\nneedle a\nneedle b',
  },
  {
    what: 'counts',
    input: { pattern: 'needle', output_mode: 'count', glob: '*.ts', '-i': true },
    text: 'src/a.ts:2\nsrc/deep/b.ts:1\n(3 matching lines in 2 files.)',
  },
  {
    what: 'takes several globs',
    input: { pattern: 'needle', glob: '*.{ts,tsx}, *.md', '-i': true },
    text: 'README.md\nsrc/a.ts\nsrc/deep/b.ts',
  },
  {
    what: 'limits lines',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 1 },
    text: 'src/a.ts\n1: needle a\n(1 matching lines, and there are more: go on with offset 1, or narrow the search.)',
  },
  {
    what: 'goes on',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 1, offset: 1 },
    text: 'src/a.ts\n4: needle b',
  },
  {
    what: 'limits files',
    input: { pattern: 'needle', head_limit: 1 },
    text: '.hidden\n(2 more files: go on with offset 1.)',
  },
  {
    what: 'spans lines',
    input: { pattern: 'plain.needle', multiline: true, output_mode: 'content' },
    text: 'src/a.ts\n3: plain\n4: needle b',
  },
  {
    what: 'says when there is nothing',
    input: { pattern: 'absent' },
    text: 'No match for absent in the current folder.',
    display: { kind: 'matches', groups: [], total: 0, more: 0 },
  },
  { what: 'passes on what is wrong with a pattern', input: { pattern: '(' }, status: 'failed', text: /unclosed group/ },
  {
    what: 'refuses a missing path',
    input: { pattern: 'x', path: 'scr' },
    status: 'failed',
    text: 'scr does not exist. Did you mean src?',
  },
  {
    what: 'takes a pattern that looks like an option as a pattern (S19)',
    input: { pattern: '--files' },
    text: 'No match for --files in the current folder.',
  },
]);

const SECRETS = {
  '.env': 'KEY=hush',
  '.env.example': 'KEY=',
  'keys/id_rsa': 'KEY hush',
  link: { link: '.env' },
  'a.ts': 'KEY\n',
  '.config/gh/hosts.yml': 'KEY hush',
  settings: { link: '.config' },
} as const;
const refuse: ToolTestOptions = { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) };
const allow: ToolTestOptions = { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'once' }) };

checkTool('grep', SECRETS, [
  {
    what: 'tells nothing of files that hold secrets',
    input: { pattern: 'KEY' },
    text: '.env.example\na.ts',
    options: refuse,
  },
  {
    what: 'not when a glob asks for them either',
    input: { pattern: 'hush', glob: '.env,id_rsa', output_mode: 'content' },
    text: 'No match for hush in the current folder.',
    options: refuse,
  },
  {
    what: 'S31: not in a folder whose name does not tell where it is either',
    input: { pattern: 'KEY', path: 'settings' },
    text: 'No match for KEY in settings.',
    options: refuse,
  },
  {
    what: 'does not count them',
    input: { pattern: 'KEY', output_mode: 'count' },
    text: '.env.example:1\na.ts:1\n(2 matching lines in 2 files.)',
    options: refuse,
  },
  {
    what: 'asks for one that is named',
    input: { pattern: 'KEY', path: 'link' },
    status: 'denied',
    text: /declined/,
    options: refuse,
  },
  { what: 'searches one that a person allows', input: { pattern: 'KEY', path: 'link' }, text: 'link', options: allow },
  {
    what: 'searches all where nothing is asked',
    input: { pattern: 'hush' },
    text: '.config/gh/hosts.yml\n.env\nkeys/id_rsa',
  },
]);

describe('grep', () => {
  it('T06 B01: a search with 20,000 matches is stored whole; the model gets its ends and counts', () =>
    withTools(manyMatches(), async ({ call }) => {
      const { text, wholeChars, display } = await call('grep', {
        pattern: 'needle',
        output_mode: 'content',
        path: 'src',
      });
      const expected = Array.from({ length: 20 }, (_, file) => [
        `src/f${String(file).padStart(2, '0')}.ts`,
        ...Array.from({ length: 1_000 }, (__, at) => `${at + 1}: const needle${at} = 'in a line of code';`),
      ])
        .flat()
        .join('\n');
      assert.equal(wholeChars, expected.length);
      assert.ok(text.length <= 8_000);
      const [head, tail] = text.split(/\[\.\.\. .*id "c1" \.\.\.\]\n/);
      assert.match(
        head ?? '',
        /^src\/f00\.ts\n1: const needle0 [^]*\n100: .*\nsrc\/f00\.ts: 900 more\n(src\/f\d\d\.ts: 1000 more\n){18}src\/f19\.ts: \d+ more\n$/,
      );
      assert.match(tail ?? '', /^src\/f19\.ts\n9\d\d: [^]*\n1000: const needle999 .*$/);
      assert.ok(display?.kind === 'matches');
      assert.deepEqual(
        [display.total, display.more],
        [20_000, 20_000 - display.groups.flatMap(({ lines }) => lines).length],
      );
      const middle = await call('output', { id: 'c1', offset: 10_011, limit: 1 });
      assert.equal(middle.text, `${' '.repeat(1)}10011\t${expected.split('\n')[10_010]}\n(Go on with offset 10012.)`);
    }));

  it('T06: what is asked for by number passes whole while it is no longer than any result may be', () =>
    withTools(manyMatches(), async ({ call }) => {
      const { text } = await call('grep', { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 400 });
      assert.equal(text.split('\n').length, 402);
      assert.match(
        text,
        /\n\(400 matching lines, and there are more: go on with offset 400, or narrow the search\.\)$/,
      );
      const longer = await call('grep', { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 2_000 });
      assert.ok(longer.wholeChars > 30_000 && longer.text.length <= 8_200);
      assert.match(longer.text, /src\/f01\.ts: \d+ more/);
    }));

  it('B05: what is cut in spite of its length is on the disk before', () =>
    withTools({ 'a.txt': 'needle\n'.repeat(300) }, async ({ call, host }) => {
      const { text, wholeChars } = await call('grep', { pattern: 'needle', output_mode: 'content' });
      assert.match(text, /a\.txt: \d+ more\n\[\.\.\. /);
      assert.equal(await host.store.size('outputs/s1/c1'), wholeChars);
    }));

  it('name files so that the name leads back, wherever the agent stands', () =>
    withTools(FILES, async ({ call, setCwd, path }) => {
      setCwd('src/deep');
      const { text } = await call('grep', { pattern: 'needle', '-i': true, path: '../..', glob: '*.ts' });
      assert.equal(text, `${path('src/a.ts')}\nb.ts`);
      for (const file_path of text.split('\n')) assert.equal((await call('read', { file_path })).status, 'done');
    }));
});

function manyMatches(): Record<string, string> {
  const lines = Array.from({ length: 1_000 }, (_, at) => `const needle${at} = 'in a line of code';\n`).join('');
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, file) => [`src/f${String(file).padStart(2, '0')}.ts`, lines]),
  );
}

// read: windows with line numbers, what cannot be read, and pointers in place of what was read already.
import assert from 'node:assert/strict';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { checkTool, withTools } from '../../support/toolTest';

const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'crlf.txt': 'one\r\ntwo',
  'empty.txt': '',
  'src/cart.ts': 'x',
  'bin.dat': 'a\0b',
  'latin.txt': Buffer.from('\xe4\xe4', 'latin1'),
  'long.txt': `${'x'.repeat(2500)}\nend\n`,
  'many.txt': Array.from({ length: 2500 }, (_, at) => `line ${at + 1}\n`).join(''),
  'hides.txt': 'a\u{e0072}\u{e006d}\u202e b\n',
  'wide.txt': Array.from({ length: 60 }, () => `${'y'.repeat(1000)}\n`).join(''),
};

checkTool('read', FILES, [
  {
    what: 'numbers lines',
    input: { file_path: 'a.txt' },
    text: '     1\tone\n     2\ttwo\n     3\tthree',
    display: { kind: 'file', path: 'a.txt', startLine: 1, endLine: 3, totalLines: 3 },
  },
  {
    what: 'shows a window and where to go on',
    input: { file_path: 'a.txt', offset: 2, limit: 1 },
    text: '     2\ttwo\n(Lines 2–2 of 3. Go on with offset 3.)',
    display: { kind: 'file', path: 'a.txt', startLine: 2, endLine: 2, totalLines: 3 },
  },
  { what: 'shows the last window', input: { file_path: 'a.txt', offset: 3 }, text: '     3\tthree\n(Lines 3–3 of 3.)' },
  {
    what: 'says when a window lies behind the end',
    input: { file_path: 'a.txt', offset: 9 },
    text: '(There is no line 9: the file has 3.)',
  },
  { what: 'O11: takes numbers as strings', input: { file_path: 'a.txt', offset: '3' }, text: /^ {5}3\tthree/ },
  { what: 'shows no carriage returns', input: { file_path: 'crlf.txt' }, text: '     1\tone\n     2\ttwo' },
  {
    what: 'shows nothing that a person would not see',
    input: { file_path: 'hides.txt' },
    text: '     1\ta b\n(3 invisible characters are left out here; the original still has them.)',
  },
  { what: 'says when a file is empty', input: { file_path: 'empty.txt' }, text: '(The file is empty.)' },
  {
    what: 'takes dots in a path',
    input: { file_path: './src/../a.txt', limit: 1 },
    text: /^ {5}1\tone\n/,
  },
  {
    what: 'stops after 2,000 lines',
    input: { file_path: 'many.txt' },
    text: /line 2000\n\(Lines 1–2000 of 2500\. Go on with offset 2001\.\)$/,
  },
  {
    what: 'stops after 50 KB',
    input: { file_path: 'wide.txt' },
    text: /\(Lines 1–50 of 60\. Go on with offset 51\.\)$/,
  },
  {
    what: 'cuts long lines',
    input: { file_path: 'long.txt' },
    text: `     1\t${'x'.repeat(2000)}… (500 more characters)\n     2\tend\n(Lines over 2,000 characters are cut: print the rest of one with the shell.)`,
  },
  {
    what: 'suggests a name for a wrong one',
    input: { file_path: 'src/cart.js' },
    status: 'failed',
    text: 'src/cart.js does not exist. Did you mean src/cart.ts?',
  },
  {
    what: 'does not suggest a link that leads nowhere in its own place',
    files: { link: { link: 'nothing' } },
    input: { file_path: 'link' },
    status: 'failed',
    text: 'link does not exist. Look for it with glob or ls.',
  },
  {
    what: 'suggests another place',
    input: { file_path: 'lib/cart.ts' },
    status: 'failed',
    text: 'lib/cart.ts does not exist. Did you mean src/cart.ts?',
  },
  {
    what: 'suggests nothing from outside',
    input: { file_path: '/etc/passwdx' },
    status: 'failed',
    text: '/etc/passwdx does not exist. Look for it with glob or ls.',
  },
  {
    what: 'R35: says when a part of the path is a file',
    input: { file_path: 'src/cart.ts/index.ts' },
    status: 'failed',
    text: 'src/cart.ts/index.ts does not exist: src/cart.ts is a file, not a folder.',
  },
  {
    what: 'R34: says when links lead in a circle',
    files: { a: { link: 'b' }, b: { link: 'a' } },
    input: { file_path: 'a' },
    status: 'failed',
    text: 'a: its links lead in a circle.',
  },
  {
    what: 'R35: says when a name is too long',
    input: { file_path: `src/${'x'.repeat(300)}` },
    status: 'failed',
    text: `src/${'x'.repeat(300)}: the name is too long.`,
  },
  {
    what: 'R34: does not open a device',
    input: { file_path: '/dev/zero' },
    status: 'failed',
    text: '/dev/zero is not a regular file, so it is not read.',
  },
  {
    what: 'T01: lists a folder',
    files: { 'src/cart.ts': 'x', 'src/api/index.ts': '', 'src/.env': '' },
    input: { file_path: 'src' },
    text: 'src is a folder with 3 entries:\n.env\napi/\ncart.ts',
    display: { kind: 'files', paths: ['src/.env', 'src/cart.ts'], more: 0 },
  },
  {
    what: 'T01: lists the first 100 names of a large folder',
    files: Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`src/${String(at).padStart(3, '0')}.ts`, ''])),
    input: { file_path: 'src' },
    text: /^src is a folder with 130 entries:\n000\.ts\n[^]*099\.ts\n\(30 more: find what you look for with glob\.\)$/,
  },
  {
    what: 'refuses binaries',
    input: { file_path: 'bin.dat' },
    status: 'failed',
    text: '<root>/bin.dat is a binary file, so it has no text to show or edit.',
  },
  {
    what: 'R33: shows what is no UTF-8 by a guess, and says that it is one',
    files: { 'latin.txt': Buffer.from('Grüße aus München,\nschöne Straße\n', 'latin1') },
    input: { file_path: 'latin.txt' },
    text: '     1\tGrüße aus München,\n     2\tschöne Straße\n(Its encoding is not known: shown as ISO-8859-1, which is a guess. It cannot be edited like this. The person can set files.encoding to "iso88591" for it, or have it converted to UTF-8.)',
  },
  {
    what: 'R33: guesses other scripts too',
    files: { 'ja.txt': Buffer.from('82b182f182c982bf82cd90a28a45814282b182f182c982bf82cd90a28a458142', 'hex') },
    input: { file_path: 'ja.txt' },
    text: /^ {5}1\tこんにちは世界。こんにちは世界。\n\(Its encoding is not known: shown as Shift_JIS, [^]*"shiftjis"/,
  },
  {
    what: 'R33: a few bytes are shown in the most common encoding',
    input: { file_path: 'latin.txt' },
    text: /^ {5}1\tää\n\(Its encoding is not known: shown as windows-1252,/,
  },
  {
    what: 'R33: what was shown by a guess is read again, not pointed to',
    before: [['read', { file_path: 'latin.txt' }]],
    input: { file_path: 'latin.txt' },
    text: /^ {5}1\tää\n/,
  },
  {
    what: 'R07 K03: of a large file the window alone is read, and its end is not counted',
    input: { file_path: 'many.txt', offset: 3, limit: 2 },
    options: { settings: { 'files.maxReadBytes': 1024 } },
    text: '     3\tline 3\n     4\tline 4\n(Lines 3–4 of a file too large to be counted. Go on with offset 5.)',
    display: { kind: 'file', path: 'many.txt', startLine: 3, endLine: 4 },
  },
  { what: 'needs a path', input: {}, status: 'failed', text: /file_path/ },
  {
    what: 'R01: answers the same read with a pointer',
    before: [['read', { file_path: 'a.txt' }]],
    input: { file_path: './a.txt' },
    text: 'a.txt has not changed since call c1 read these lines; their text is in that result.',
    display: { kind: 'file', path: 'a.txt', startLine: 1, endLine: 3, totalLines: 3 },
  },
  {
    what: 'R01: another window is read',
    before: [['read', { file_path: 'a.txt' }]],
    input: { file_path: 'a.txt', limit: 1 },
    text: /^ {5}1\tone\n/,
  },
  {
    what: 'R01: a changed file is read again, of the same size too',
    before: [['read', { file_path: 'a.txt' }]],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'ONE\ntwo\nthree\n'),
    input: { file_path: 'a.txt' },
    text: '     1\tONE\n     2\ttwo\n     3\tthree',
  },
  {
    what: 'R03: what has left the request is read again',
    before: [['read', { file_path: 'a.txt' }]],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: { file_path: 'a.txt' },
    text: '     1\tone\n     2\ttwo\n     3\tthree',
  },
  {
    what: 'R02: an edit of its own is no read',
    before: [
      ['read', { file_path: 'a.txt' }],
      ['edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }],
    ],
    input: { file_path: 'a.txt' },
    text: '     1\tone\n     2\t2\n     3\tthree',
  },
  {
    what: 'R03: what was read again since is answered with a pointer to that',
    before: [
      ['read', { file_path: 'a.txt' }],
      ['read', { file_path: 'a.txt', limit: 1 }],
      ['read', { file_path: 'a.txt' }],
    ],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1', 'c2'])),
    input: { file_path: 'a.txt' },
    text: 'a.txt has not changed since call c3 read these lines; their text is in that result.',
  },
  {
    what: 'R03 K16: the setting files.dedupReads is the way to have all of it read again',
    options: { settings: { 'files.dedupReads': false } },
    before: [['read', { file_path: 'a.txt' }]],
    input: { file_path: 'a.txt' },
    text: '     1\tone\n     2\ttwo\n     3\tthree',
  },
  {
    what: 'R04: what the session has read counts no more once it is forgotten',
    before: [['read', { file_path: 'a.txt' }]],
    meanwhile: async ({ reads }) => reads.clear(),
    input: { file_path: 'a.txt' },
    text: '     1\tone\n     2\ttwo\n     3\tthree',
  },
]);

checkTool('write', FILES, [
  {
    what: 'R05: lines that were shown cut do not count as read, so the file is not overwritten',
    before: [['read', { file_path: 'long.txt' }]],
    input: { file_path: 'long.txt', content: 'new\n' },
    status: 'failed',
    text: 'Only a part of long.txt was read (a line that was cut counts as not read). Read the rest before it is overwritten, or change a part of it with edit.',
  },
  {
    what: 'R05: nor when other lines were read since',
    before: [
      ['read', { file_path: 'long.txt', limit: 1 }],
      ['read', { file_path: 'long.txt', offset: 2 }],
    ],
    input: { file_path: 'long.txt', content: 'new\n' },
    status: 'failed',
    text: /^Only a part of long\.txt was read/,
  },
  {
    what: 'R05: nor after an edit of its own',
    before: [
      ['read', { file_path: 'long.txt' }],
      ['edit', { file_path: 'long.txt', old_string: 'end', new_string: 'End' }],
    ],
    input: { file_path: 'long.txt', content: 'new\n' },
    status: 'failed',
    text: /^Only a part of long\.txt was read/,
  },
  {
    what: 'R33: what was shown by a guess is not overwritten',
    before: [['read', { file_path: 'latin.txt' }]],
    input: { file_path: 'latin.txt', content: 'new\n' },
    status: 'failed',
    text: /latin\.txt is not valid UTF-8 text/,
  },
]);

checkTool('edit', FILES, [
  {
    what: 'R33: what was shown by a guess is not edited',
    before: [['read', { file_path: 'latin.txt' }]],
    input: { file_path: 'latin.txt', old_string: 'ää', new_string: 'ae' },
    status: 'failed',
    text: /latin\.txt is not valid UTF-8 text/,
  },
]);

describe('read', () => {
  it('does not open a pipe', () =>
    withTools({ pipe: { pipe: true } }, async ({ call }) => {
      const { status, text } = await call('read', { file_path: 'pipe' });
      assert.equal(status, 'failed');
      assert.match(text, /not a regular file/);
    }));

  it('R01: a read that came too late for its call is not pointed to', () =>
    withTools({ 'a.txt': 'one\n' }, async (test) => {
      const { call, host, path, reads, stop } = test;
      const late = new Promise<void>((resolve) => {
        const text = host.files.text;
        const slow: typeof text = async (...asked) => {
          const file = await text(...asked);
          stop.abort();
          // Longer than a stopped run is waited for.
          await host.clock.sleep(400);
          setImmediate(resolve);
          return file;
        };
        Object.assign(host.files, { text: slow });
      });
      assert.equal((await call('read', { file_path: 'a.txt' })).status, 'stopped');
      await late;
      assert.equal(reads.get(path('a.txt')), undefined);
    }));

  it('O25: asks before it follows a link outside, and names where it leads', () =>
    withTools(
      { a: '' },
      async ({ call, path, outside, asks }) => {
        await writeFile(`${outside}/other`, 'hidden');
        await symlink(`${outside}/other`, path('link'));
        const { status } = await call('read', { file_path: 'link' });
        assert.equal(status, 'denied');
        const [ask] = asks;
        assert.ok(ask?.kind === 'permission');
        assert.ok(ask.reasons.some((reason) => reason.includes(`${outside}/other`)));
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));
});

describe('read', () => {
  it('T01: tells what the system denies, a file and what is in a closed folder alike', () =>
    withTools({ 'a.txt': 'one', 'closed/b.txt': 'two' }, async ({ call, path, outside }) => {
      await Promise.all([chmod(outside, 0o755), chmod(path('a.txt'), 0o000), chmod(path('closed'), 0o600)]);
      try {
        await asNobody(async () => {
          const { status, text } = await call('read', { file_path: 'a.txt' });
          assert.deepEqual([status, text], ['failed', `The system denies access to ${path('a.txt')}.`]);
          const inside = await call('read', { file_path: 'closed/b.txt' });
          assert.deepEqual([inside.status, inside.text], ['failed', 'The system denies access to closed/b.txt.']);
        });
      } finally {
        await Promise.all([chmod(path('a.txt'), 0o600), chmod(path('closed'), 0o700)]);
      }
    }));
});

/** Root is denied nothing. */
async function asNobody(use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0 || !process.seteuid) return use();
  process.seteuid(NOBODY);
  try {
    await use();
  } finally {
    process.seteuid(0);
  }
}

const NOBODY = 65_534;

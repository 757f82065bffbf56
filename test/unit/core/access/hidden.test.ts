// What is hidden from the agent is hidden from every tool, in every spelling: by the person's ignore file, by a rule, as a secret.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../../../src/common/json';
import { TOOLS } from '../../../../src/tools';
import { withTools, type ToolTest, type ToolTestOptions } from '../../../support/toolTest';

const FILES = {
  '.latheignore': '# mine\n/private/\n*.secretish\n!kept.secretish\nnotes/d*.txt\n',
  'private/plan.md': 'needle private\n',
  'a.secretish': 'needle secretish\n',
  'kept.secretish': 'needle kept\n',
  'notes/day.txt': 'needle day\n',
  'notes/open.txt': 'needle open\n',
  'src/a.ts': 'needle a\n',
  'private/book.ipynb': '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}\n',
  way: { link: 'private' },
  'one.md': { link: 'private/plan.md' },
};

/** For every tool that takes a path: a call that is about it, and is fine with another one. */
const CALLS: Readonly<Record<string, (path: string) => JsonObject>> = {
  read: (path) => ({ file_path: path }),
  write: (path) => ({ file_path: path, content: 'x' }),
  edit: (path) => ({ file_path: path, old_string: 'needle', new_string: 'x' }),
  notebookedit: (path) => ({ file_path: path, cell_id: '#1', new_source: 'x' }),
  delete: (path) => ({ file_path: path }),
  move: (path) => ({ file_path: path, to: 'elsewhere.txt' }),
  ls: (path) => ({ path }),
  glob: (path) => ({ pattern: '*', path }),
  grep: (path) => ({ pattern: 'needle', path }),
  bash: (path) => ({ command: 'pwd', cwd: path }),
};

/** Arguments of schemas that are paths, by what they are called. */
const PATH_ARGUMENT = /path$|^(to|cwd|file|folder|directory|uri)$/i;

const SPELLINGS = [
  'private/plan.md',
  './src/../private//plan.md',
  '<root>/private/plan.md',
  'file://<root>/private/plan.md',
  'way/plan.md',
  'one.md',
  'private',
  'private/not-there.md',
  'a.secretish',
  'new.secretish',
  'notes/day.txt',
];

const HIDDEN = /is hidden from you by \.latheignore\. Go on without it\.$/;

describe('S37 every tool that takes a path', () => {
  it('is in this table', () => {
    const taking = TOOLS.filter(({ schema }) =>
      Object.keys(schema.properties).some((name) => PATH_ARGUMENT.test(name)),
    );
    assert.deepEqual(taking.map(({ name }) => name).sort(), Object.keys(CALLS).sort());
  });

  for (const [tool, input] of Object.entries(CALLS)) {
    it(`${tool} is refused what is hidden, in any spelling, in every mode, as if it were not there`, () =>
      withTools(FILES, async ({ call, root, tree }) => {
        const before = await tree();
        for (const spelling of SPELLINGS) {
          const { text, status } = await call(tool, input(spelling.replace('<root>', root)));
          assert.deepEqual(
            { spelling, status, isHidden: HIDDEN.test(text) },
            { spelling, status: 'failed', isHidden: true },
          );
        }
        assert.deepEqual(await tree(), before);
      }));

    it(`${tool} asks outside of the workspace`, async () => {
      const asked: string[] = [];
      const answer: ToolTestOptions['answer'] = (ask) => {
        asked.push(ask.kind);
        return { kind: 'permission', decision: 'deny' };
      };
      // Nothing to be deleted, edited or moved is known there, so that those are refused before anybody is asked.
      await withTools(
        FILES,
        async ({ call }) => {
          const { status } = await call(tool, input('../../../../../../etc/hosts'));
          assert.deepEqual(status === 'done' ? 'done unasked' : 'held back', 'held back');
        },
        { mode: 'acceptEdits', answer },
      );
    });
  }

  it('move is refused a hidden target', () =>
    withTools(FILES, async ({ call }) => {
      await call('read', { file_path: 'src/a.ts' });
      const { text, status } = await call('move', { file_path: 'src/a.ts', to: 'private/a.ts' });
      assert.deepEqual({ status, isHidden: HIDDEN.test(text) }, { status: 'failed', isHidden: true });
    }));
});

describe('S38 what lists and searches', () => {
  function check(
    what: string,
    use: (test: ToolTest) => Promise<string>,
    expected: string,
    options?: ToolTestOptions,
  ): void {
    it(what, () => withTools(FILES, async (test) => assert.equal(await use(test), expected), options ?? {}));
  }
  const text = (tool: string, input: JsonObject) => async (test: ToolTest) => (await test.call(tool, input)).text;

  check(
    'ls leaves it out and says how much, without a name',
    text('ls', {}),
    './\n  notes/\n    open.txt\n  src/\n    a.ts\n  kept.secretish\n(5 hidden from you are left out.)',
  );
  check(
    'read does the same for a folder',
    text('read', { file_path: 'notes' }),
    'notes is a folder with 1 entry:\nopen.txt',
  );
  check('glob leaves it out', text('glob', { pattern: '**/*.{md,txt}' }), 'notes/open.txt');
  check(
    'glob tells nothing of it, whatever is asked',
    text('glob', { pattern: 'private/*' }),
    'No file matches private/* in the current folder (ignored files and those hidden from you are not searched).',
  );
  check(
    'grep leaves it out',
    async (test) => (await text('grep', { pattern: 'needle' })(test)).split('\n').sort().join(' '),
    'kept.secretish notes/open.txt src/a.ts',
  );
  check(
    'grep tells nothing of it, whatever is asked',
    text('grep', { pattern: 'needle (private|day)' }),
    'No match for needle (private|day) in the current folder (files hidden from you are not searched).',
  );
  check(
    'a name that is not there is not answered with one that is hidden',
    text('read', { file_path: 'notes/days.txt' }),
    'notes/days.txt is hidden from you by .latheignore. Go on without it.',
  );
  check(
    'a rule against reading does the same',
    async (test) => {
      const found = await test.call('grep', { pattern: 'needle' });
      const listed = await test.call('ls', { path: 'src' });
      return `${found.text.split('\n').sort().join(' ')} | ${listed.text}`;
    },
    'kept.secretish notes/open.txt | src/\n(1 hidden from you is left out.)',
    { settings: { 'permission.deny': ['read(src/**)'] } },
  );
  check(
    'a rule against reading that lacks its end does what it may mean',
    async (test) => (await test.call('ls', { path: 'src' })).text,
    'src/\n(1 hidden from you is left out.)',
    { settings: { 'permission.deny': ['read(src/**'] } },
  );
  check(
    'a change of the file counts at once',
    async (test) => {
      const before = await test.call('read', { file_path: 'notes/open.txt' });
      await writeFile(test.path('.latheignore'), 'notes\n');
      const after = await test.call('read', { file_path: 'notes/open.txt' });
      return `${before.status} ${after.text}`;
    },
    'done notes/open.txt is hidden from you by .latheignore. Go on without it.',
  );

  it('the ignore file is nothing that the agent changes by itself', () => {
    const reasons: string[] = [];
    return withTools(
      FILES,
      async ({ call }) => {
        await call('read', { file_path: '.latheignore' });
        await call('write', { file_path: '.latheignore', content: '' });
        assert.deepEqual(reasons, ['Changes what governs the agent: .latheignore']);
      },
      {
        mode: 'bypass',
        answer: (ask) => {
          reasons.push(...(ask.kind === 'permission' ? ask.reasons : []));
          return { kind: 'permission', decision: 'deny' };
        },
      },
    );
  });
});

describe('S38 secrets', () => {
  const SECRETS = { '.env': 'needle', 'deploy/prod.pem': 'needle', '.env.example': 'needle', 'a.ts': 'needle' };
  it('are searched only where they are named, and then a person is asked', () => {
    const reasons: string[] = [];
    return withTools(
      SECRETS,
      async ({ call }) => {
        const { text } = await call('grep', { pattern: 'needle' });
        await call('grep', { pattern: 'needle', path: '.env' });
        assert.deepEqual(
          { found: text.split('\n').sort(), reasons },
          {
            found: ['.env.example', 'a.ts'],
            reasons: ['May hold secrets: .env'],
          },
        );
      },
      {
        mode: 'ask',
        answer: (ask) => {
          reasons.push(...(ask.kind === 'permission' ? ask.reasons : []));
          return { kind: 'permission', decision: 'deny' };
        },
      },
    );
  });
});

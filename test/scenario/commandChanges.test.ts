// What commands change, through the whole agent: found, told, and put back byte for byte, with and without a repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile, stat, utimes } from 'node:fs/promises';
import type { NodeHostOptions } from '../../src/node/host';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';
import type { Tree } from '../support/workspace';

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];

function git({ workspace }: SessionTest, ...args: string[]): string {
  const { stdout } = spawnSync('git', [...WHO, ...args], { cwd: workspace.root, encoding: 'utf8' });
  return stdout;
}

interface Case {
  readonly it: string;
  readonly files: Tree;
  /** A repository in which all of `files` is committed; then, by the person: */
  readonly repository?: (test: SessionTest) => void;
  /** Each is a call of its own, or the calls before and after it. */
  readonly calls: readonly (string | Reply)[];
  /** What the events tell: `change path`, sorted. */
  readonly told: readonly string[];
}

const bash = (command: string): Reply => reply(toolUse('bash', { command }));

const CASES: readonly Case[] = [
  {
    it: 'sed over a clean tracked file',
    files: { 'a.txt': 'one\r\ntwo' },
    repository: () => {},
    calls: ["sed -i 's/one/1/' a.txt"],
    told: ['edited a.txt'],
  },
  {
    it: 'rm of an untracked file',
    files: { 'a.txt': 'a' },
    repository: (test) => writeFileSync(test.workspace.path('u.bin'), Uint8Array.of(0x75, 0, 0xff)),
    calls: ['rm u.bin'],
    told: ['deleted u.bin'],
  },
  {
    it: 'git checkout of a file with changes',
    files: { 'a.txt': 'committed\n' },
    repository: (test) => writeFileSync(test.workspace.path('a.txt'), 'mine\n'),
    calls: ['git checkout -- a.txt'],
    told: ['edited a.txt'],
  },
  {
    it: 'mv, mkdir and rm -r',
    files: { 'a.txt': 'a', 'old/b.txt': 'b', 'old/c.txt': 'c' },
    repository: () => {},
    calls: ['mkdir -p new/deep && mv a.txt new/deep/ && rm -r old'],
    told: ['created new/deep/a.txt', 'deleted a.txt', 'deleted old/b.txt', 'deleted old/c.txt'],
  },
  {
    it: 'a build that writes 500 files',
    files: { 'src.txt': 's' },
    calls: ['mkdir gen && for i in $(seq 500); do echo $i > gen/$i.txt; done'],
    told: Array.from({ length: 500 }, (_, at) => `created gen/${at + 1}.txt`),
  },
  {
    it: 'a folder that is no repository',
    files: { 'a.txt': 'a', 'b.txt': 'b', 'run.sh': { text: '#!/bin/sh\n', mode: 0o755 } },
    calls: ['echo more >> a.txt; rm b.txt; echo new > c.txt; chmod 644 run.sh'],
    told: ['created c.txt', 'deleted b.txt', 'edited a.txt', 'edited run.sh'],
  },
  {
    it: 'commands and edits in turns, each told of its own',
    files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
    repository: () => {},
    calls: [
      'echo 1 >> a.txt',
      reply(toolUse('read', { file_path: 'b.txt' })),
      reply(toolUse('edit', { file_path: 'b.txt', old_string: 'b', new_string: 'B' })),
      'echo 2 >> a.txt',
    ],
    told: ['edited a.txt', 'edited a.txt', 'edited b.txt'],
  },
  {
    it: 'a command that fails, and one that changes nothing',
    files: { 'a.txt': 'a' },
    calls: ['echo x > a.txt; exit 3', 'touch a.txt; cat a.txt'],
    told: ['edited a.txt'],
  },
];

async function check(one: Case, settings: NodeHostOptions['settings'] = {}): Promise<void> {
  const calls = one.calls.map((call) => (typeof call === 'string' ? bash(call) : call));
  const replies = [...calls, reply(text('Done'))];
  await withSession({ tools: TOOLS, files: one.files, replies, settings }, async (test) => {
    const { session, workspace } = test;
    if (one.repository) {
      git(test, 'init', '-q');
      // Older than the index, so that no file is in doubt.
      for (const path of Object.keys(one.files)) await utimes(workspace.path(path), 1_600_000_000, 1_600_000_000);
      git(test, 'add', '-A');
      git(test, 'commit', '-qm', 'all');
      one.repository(test);
    }
    const whole = async () => {
      const entries = Object.entries(await workspace.tree()).filter(([path]) => !path.startsWith('.git/'));
      return Promise.all(entries.map(async ([path]) => [path, (await workspace.bytes(path)).toString('latin1')]));
    };
    const index = () => (one.repository ? readFile(workspace.path('.git/index'), 'latin1') : '');
    const before = [await whole(), one.repository ? git(test, 'status', '--porcelain') : ''];
    assert.equal(await session.prompt('Go'), 'done');
    const told = test
      .of('files/changed')
      .flatMap(({ files }) => files.map(({ path, change }) => `${change} ${path.slice(workspace.root.length + 1)}`));
    assert.deepEqual(told.sort(), [...one.told].sort());

    const indexNow = await index();
    const [{ turn } = { turn: '' }] = session.checkpoints.list();
    const outcome = await session.checkpoints.restore(turn, []);
    assert.equal(outcome.ok && outcome.kept.length === 0, true, JSON.stringify(outcome));
    assert.equal(await index(), indexNow);
    assert.deepEqual([await whole(), one.repository ? git(test, 'status', '--porcelain') : ''], before);
  });
}

describe('changes that commands make', () => {
  for (const one of CASES) it(`complaint 34: are put back: ${one.it}`, () => check(one));

  it('keep the mode of what they change', async () => {
    const files = { 'run.sh': { text: '#!/bin/sh\n', mode: 0o755 } };
    const replies = [bash('rm run.sh'), reply(text('Done'))];
    await withSession({ tools: TOOLS, files, replies }, async ({ session, workspace }) => {
      await session.prompt('Go');
      const [{ turn } = { turn: '' }] = session.checkpoints.list();
      assert.equal((await session.checkpoints.restore(turn, [])).ok, true);
      assert.equal(((await stat(workspace.path('run.sh'))).mode & 0o777).toString(8), '755');
    });
  });

  for (const setting of ['checkpoints.commands', 'checkpoints.enabled'] as const) {
    it(`are not looked for with ${setting} off`, () => {
      const replies = [bash('echo x > a.txt'), reply(text('Done'))];
      return withSession(
        { tools: TOOLS, files: { 'a.txt': 'a' }, replies, settings: { [setting]: false } },
        async ({ session, of }) => {
          assert.equal(await session.prompt('Go'), 'done');
          assert.deepEqual(of('files/changed'), []);
        },
      );
    });
  }

  it('R06: are told to the model in one line, where it has read what is different now', () => {
    const names = Array.from({ length: 7 }, (_, at) => `f${at}.txt`);
    const replies = [
      reply(...names.map((file_path) => toolUse('read', { file_path }))),
      bash('for i in 0 1 2 3 4 5 6; do echo x > f$i.txt; done; echo new > other.txt; echo y > unread.txt'),
      bash('echo z > unread.txt'),
      reply(text('Done')),
    ];
    const files = { ...Object.fromEntries(names.map((name) => [name, 'text\n'])), 'unread.txt': 'u' };
    return withSession({ tools: TOOLS, files, replies }, async ({ session, of }) => {
      assert.equal(await session.prompt('Go'), 'done');
      assert.deepEqual(
        of('tool/finished')
          .slice(-2)
          .map(({ text: told }) => told),
        ['Files that you have read are different now: f0.txt, f1.txt, f2.txt, f3.txt, f4.txt, 2 more.', '(no output)'],
      );
    });
  });

  it('are found after Stop too', () => {
    const replies = [bash('echo x > a.txt; sleep 60'), reply(text('Never'))];
    return withSession({ tools: TOOLS, files: { 'a.txt': 'a' }, replies }, async (test) => {
      const { session, of, workspace } = test;
      session.subscribe((event) => {
        if (event.type !== 'tool/started') return;
        const stopWhenWritten = async () => {
          while ((await workspace.bytes('a.txt')).toString() !== 'x\n')
            await new Promise((done) => setTimeout(done, 5));
          session.stop();
        };
        void stopWhenWritten();
      });
      assert.equal(await session.prompt('Go'), 'stopped');
      assert.deepEqual(
        of('files/changed').map(({ files }) => files.map(({ change }) => change)),
        [['edited']],
      );
    });
  });
});

// Where programs are looked for, on every system, and what of a PATH is left.
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { programLine, shellLine } from '../../../src/node/commandLine';
import { taskkill } from '../../../src/node/powershell';
import { findProgram, foldersOf, inWorkspace } from '../../../src/node/searchPath';
import { createWorkspace } from '../../support/workspace';

describe('S12: the folders of a PATH', () => {
  it('S12: what is relative, empty or in the workspace is told apart, links followed', async () => {
    const { root, outside, remove } = await createWorkspace({ 'bin/x': '', 'sub/y': '' });
    try {
      await symlink(join(root, 'bin'), join(outside, 'link'));
      const list = [
        '.',
        '',
        'node_modules/.bin',
        root,
        join(root, 'bin'),
        join(outside, 'link'),
        '/usr/bin',
        `${root}2`,
      ];
      const ours = [root, join(root, 'bin'), join(outside, 'link')];
      assert.deepEqual(foldersOf(list.join(':'), inWorkspace([root])), {
        outside: ['/usr/bin', `${root}2`],
        inside: ours,
      });
    } finally {
      await remove();
    }
  });
});

describe('S12: finding a program', () => {
  interface Case {
    readonly os: NodeJS.Platform;
    readonly there: readonly string[];
    readonly folders?: readonly string[];
    readonly extensions?: string;
    readonly found: string | undefined;
  }
  const check = (title: string, command: string, { os, there, folders, extensions, found }: Case) =>
    it(`S12: ${title}`, () => {
      const cwd = os === 'win32' ? 'C:\\work' : '/work';
      const usual = os === 'win32' ? ['C:\\tools', 'C:\\more'] : ['/usr/bin', '/opt/bin'];
      const places = { folders: folders ?? usual, cwd, extensions };
      assert.equal(findProgram(command, places, { os, isProgram: (path) => there.includes(path) }), found);
    });
  const win32 = { os: 'win32' } as const;
  const linux = { os: 'linux' } as const;
  check('the first folder wins', 'git', { ...linux, there: ['/opt/bin/git', '/usr/bin/git'], found: '/usr/bin/git' });
  check('never where it is started', 'git', { ...linux, there: ['/work/git'], found: undefined });
  check('a path is taken as it is', '/x/git', { ...linux, there: ['/x/git'], found: '/x/git' });
  check('a path from the folder it is started in', './git', { ...linux, there: ['/work/git'], found: '/work/git' });
  check('Windows: never where it is started', 'git', { ...win32, there: ['C:\\work\\git.exe'], found: undefined });
  check('Windows: by its endings', 'npx', { ...win32, there: ['C:\\more\\npx.cmd'], found: 'C:\\more\\npx.cmd' });
  check('Windows: a program before a batch file', 'a', {
    ...win32,
    there: ['C:\\tools\\a.cmd', 'C:\\tools\\a.exe'],
    found: 'C:\\tools\\a.exe',
  });
  check('Windows: a name with its ending', 'a.exe', {
    ...win32,
    there: ['C:\\tools\\a.exe'],
    found: 'C:\\tools\\a.exe',
  });
  check('Windows: no file without one', 'a', { ...win32, there: ['C:\\tools\\a'], found: undefined });
  check('Windows: the endings of PATHEXT', 'a', {
    ...win32,
    there: ['C:\\tools\\a.cmd'],
    extensions: '.EXE',
    found: undefined,
  });
  check('Windows: a drive’s own folder is no name', 'D:a', {
    ...win32,
    there: ['C:\\tools\\D:a.exe'],
    found: undefined,
  });
});

describe('S12: what is handed to the system', () => {
  const env = { SystemRoot: 'D:\\Windows' };
  const cmd = 'D:\\Windows\\System32\\cmd.exe';
  const check = (title: string, found: unknown, expected: unknown) =>
    it(`S12: ${title}`, () => assert.deepEqual(found, expected));

  check('a line', shellLine('a | b', 'linux', env), { file: '/bin/sh', args: ['-c', 'a | b'] });
  check('a line on Windows', shellLine('a | b', 'win32', env), {
    file: cmd,
    args: ['/d', '/s', '/c', '"a | b"'],
    isQuoted: true,
  });
  check(
    'a relative %SystemRoot% is not followed',
    shellLine('a', 'win32', { SystemRoot: '.' }).file,
    'C:\\Windows\\System32\\cmd.exe',
  );
  check('a program', programLine('C:\\a.exe', ['%X%', '"'], 'win32', env), { file: 'C:\\a.exe', args: ['%X%', '"'] });
  check('a batch file', programLine('C:\\a b\\npx.cmd', ['-y', 'a&b', 'c\\'], 'win32', env), {
    file: cmd,
    args: ['/d', '/s', '/c', '""C:\\a b\\npx.cmd" "-y" "a&b" "c\\\\""'],
    isQuoted: true,
  });
  for (const text of ['a"b', '%PATH%', 'a!b', 'a\nb']) {
    it(`S12: a batch file gets no ${JSON.stringify(text)}`, () => {
      const line = programLine('C:\\npx.cmd', [text], 'win32', env);
      assert.match('problem' in line ? line.problem : '', /Name the program that it starts instead/);
    });
  }
  check('taskkill', taskkill(7, env).file, 'D:\\Windows\\System32\\taskkill.exe');
});

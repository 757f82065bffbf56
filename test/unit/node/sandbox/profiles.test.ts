// What is put before a command so that it runs in a sandbox, as text: for systems that are not this one too.
import assert from 'node:assert/strict';
import { bubblewrapArguments, type Reach } from '../../../../src/node/sandbox/bubblewrap';
import { seatbeltProfile } from '../../../../src/node/sandbox/seatbelt';
import { createSandbox } from '../../../../src/node/sandbox/sandbox';

const REACH: Reach = {
  cwd: '/w/a "b"',
  roots: ['/w/a "b"'],
  pinned: ['/w/a "b"/sub'],
  readOnly: ['/w/a "b"/sub/.vscode'],
  hiddenFiles: ['/w/a "b"/.env'],
  hiddenFolders: ['/home/me/.ssh'],
  nothing: '/n',
};

describe('what puts a command into a sandbox', () => {
  it('S35: on Linux what is protected lies over what may be written, and what is hidden over both', () => {
    const args = bubblewrapArguments(REACH);
    const mounts = args.slice(args.indexOf('--bind'), args.indexOf('--unshare-pid'));
    assert.deepEqual(mounts, [
      ...['--bind', '/w/a "b"', '/w/a "b"'],
      ...['--bind', '/w/a "b"/sub', '/w/a "b"/sub'],
      ...['--ro-bind', '/w/a "b"/sub/.vscode', '/w/a "b"/sub/.vscode'],
      ...['--perms', '0000', '--tmpfs', '/home/me/.ssh'],
      ...['--ro-bind', '/n', '/w/a "b"/.env'],
    ]);
    assert.deepEqual(args.slice(-3), ['--chdir', '/w/a "b"', '--']);
  });

  it('S16, S35: on macOS nothing is reached or written but in the workspace, the last rule deciding', () => {
    const lines = seatbeltProfile(REACH, '/tmp/t').split('\n');
    const order = [
      '(deny network*)',
      '(deny file-write*)',
      '(allow file-write*',
      '(deny file-write*',
      '(deny file-read* file-write*',
    ];
    assert.deepEqual(
      lines.filter((line) => order.includes(line)),
      order,
    );
    assert.ok(lines.includes('  (subpath "/w/a \\"b\\"")'));
    assert.ok(lines.some((line) => line.includes('\\.git/(config|')));
  });

  it('on Windows there is none', async () => {
    assert.equal(await createSandbox({ roots: () => [], os: 'win32' }).missing(), 'there is none for Windows');
  });
});

// From what a model wrote to a path: spellings, roots, and what is refused before anything is looked at.
import assert from 'node:assert/strict';
import { contains } from '../../../../src/core/files/names';
import { absolutePath, resolvePath, showPath } from '../../../../src/core/files/paths';
import type { Files, Platform, Root } from '../../../../src/core/host';

const LINUX: Platform = { os: 'linux', homeDir: '/home/dev', foldsCase: false, timeZone: 'UTC' };
const MAC: Platform = { ...LINUX, os: 'darwin', foldsCase: true };
const WINDOWS: Platform = { os: 'win32', homeDir: 'C:\\Users\\dev', foldsCase: true, timeZone: 'UTC' };

describe('absolutePath', () => {
  function check(platform: Platform, base: string, written: string, expected: string | RegExp): void {
    it(`${platform.os}: ${JSON.stringify(written)}`, () => {
      const result = absolutePath(written, base, platform);
      if (typeof expected === 'string') assert.equal(result, expected);
      else assert.match(typeof result === 'string' ? `accepted as ${result}` : result.objection, expected);
    });
  }
  const posix: readonly [string, string | RegExp][] = [
    ['src/a.ts', '/w/proj/src/a.ts'],
    ['', '/w/proj'],
    ['./src/../src//a.ts', '/w/proj/src/a.ts'],
    ['/etc/passwd', '/etc/passwd'],
    ['~/.ssh/id_rsa', '/home/dev/.ssh/id_rsa'],
    ['~', '/home/dev'],
    ['~other/x', '/w/proj/~other/x'],
    ['$HOME/x', '/w/proj/$HOME/x'],
    ['file:///w/proj/a%20b.ts', '/w/proj/a b.ts'],
    ['file://evil/share/x', /another machine/],
    ['https://example.com/a', /an address/],
    ['a\0b', /NUL/],
    ['a/'.repeat(3000), /^The path "(a\/){100}…" cannot be used: it is longer than a path can be\./],
  ];
  for (const [written, expected] of posix) check(LINUX, '/w/proj', written, expected);

  const windows: readonly [string, string | RegExp][] = [
    ['src\\a.ts', 'C:\\w\\proj\\src\\a.ts'],
    ['src/a.ts', 'C:\\w\\proj\\src\\a.ts'],
    ['file:///C:/w/proj/a.ts', 'C:\\w\\proj\\a.ts'],
    ['\\\\evil\\share\\x', /network and device/],
    ['//evil/share/x', /network and device/],
    ['\\\\?\\C:\\Windows\\x', /network and device/],
    ['.vscode.\\settings.json', /dot or a space/],
    ['.vscode \\settings.json', /dot or a space/],
    ['.git::$INDEX_ALLOCATION\\config', /alternate data streams/],
    ['GIT~1\\config', /short/],
    ['NUL', /device/],
    ['com1.txt', /device/],
    ['C:x', /drive letter/],
  ];
  for (const [written, expected] of windows) check(WINDOWS, 'C:\\w\\proj', written, expected);
});

describe('O25 contains', () => {
  function check(platform: Platform, folder: string, path: string, expected: boolean): void {
    it(`${platform.os}: ${folder} ${expected ? 'holds' : 'does not hold'} ${path}`, () => {
      assert.equal(contains(folder, path, platform), expected);
    });
  }
  check(LINUX, '/w/proj', '/w/proj', true);
  check(LINUX, '/w/proj', '/w/proj/..a', true);
  check(LINUX, '/w/proj', '/w/proj-evil/x', false);
  check(LINUX, '/w/proj', '/w', false);
  check(LINUX, '/w/proj', '/w/Proj/x', false);
  check(MAC, '/w/proj', '/w/Proj/x', true);
  check(MAC, '/w/caf\u00e9', '/w/cafe\u0301/x', true);
  check(WINDOWS, 'C:\\w', 'c:\\W\\x', true);
  check(WINDOWS, 'C:\\w', 'D:\\w\\x', false);
});

describe('showPath', () => {
  const one = [{ name: 'proj', path: '/w/proj' }];
  const two = [...one, { name: 'lib', path: '/w/lib' }];
  it('gives whole paths where two roots have one name', () => {
    const same = [...two, { name: 'lib', path: '/x/lib' }];
    assert.deepEqual(
      ['/w/proj/a.ts', '/w/lib/a.ts', '/x/lib/a.ts'].map((path) => showPath(path, same, LINUX)),
      ['proj/a.ts', '/w/lib/a.ts', '/x/lib/a.ts'],
    );
  });
  it('names the root only where there are several', () => {
    assert.deepEqual(
      [showPath('/w/proj/a.ts', one, LINUX), showPath('/w/lib/a.ts', two, LINUX), showPath('/etc/x', two, LINUX)],
      ['a.ts', 'lib/a.ts', '/etc/x'],
    );
  });
});

describe('O25 resolvePath', () => {
  const check = (name: string, roots: readonly Root[], written: string, expected: string): void => {
    it(name, async () => {
      const files = { stat: async () => undefined, realPath: async (path: string) => path } as unknown as Files;
      const host = { roots: () => roots, platform: LINUX, files };
      const resolved = await resolvePath(written, { host, cwd: () => '/w/proj' });
      assert.equal('path' in resolved && resolved.path, expected);
    });
  };
  const proj = { name: 'proj', path: '/w/proj' };
  const lib = { name: 'lib', path: '/w/lib' };
  check('takes the name of a root for it', [proj, lib], 'lib/a.ts', '/w/lib/a.ts');
  check(
    'does not guess between two roots of one name',
    [proj, lib, { ...lib, path: '/x/lib' }],
    'lib/a.ts',
    '/w/proj/lib/a.ts',
  );
  check('knows no name where there is one root', [proj], 'proj/a.ts', '/w/proj/proj/a.ts');
});

// PowerShell where there is no bash: which program, with what arguments. It is not run here: what it gets is taken apart again.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { notUnderstood } from '../../../src/core/command/understand';
import { onlyReads } from '../../../src/core/command/types';
import { powershellArgs, taskkill } from '../../../src/node/powershell';
import { findShell } from '../../../src/node/shellProgram';
import { withTools } from '../../support/toolTest';

const NOTE = "C:\\Users\\o'neil\\Temp\\note";

function scriptOf(command: string): string {
  return Buffer.from(powershellArgs(command, NOTE).at(-1) ?? '', 'base64').toString('utf16le');
}

function textsIn(script: string): string[] {
  return [...script.matchAll(/FromBase64String\('([A-Za-z0-9+/=]*)'\)/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  );
}

describe('PowerShell', () => {
  const NEWER = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
  const OLDER = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
  const GIT_BASH = 'C:\\Program Files\\Git\\bin\\bash.exe';
  const SHELLS: readonly [what: string, there: readonly string[], env: NodeJS.ProcessEnv, name?: string][] = [
    ['X04: bash comes first', [GIT_BASH, NEWER, OLDER], {}, 'bash'],
    ['X04: else the newer one', [NEWER, OLDER], {}, 'powershell'],
    ['X04: else the one that Windows brings', [OLDER], {}, 'powershell'],
    ['S12: never one through PATH', ['C:\\w\\pwsh.exe', 'pwsh.exe'], { PATH: 'C:\\w;.' }],
    [
      'S12: never from a relative folder',
      ['w\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
      { SystemRoot: 'w' },
    ],
    ['X04: where Windows lies elsewhere', [OLDER.replace('C:', 'D:')], { SystemRoot: 'D:\\Windows' }, 'powershell'],
  ];
  for (const [what, there, env, name] of SHELLS) {
    it(what, () => {
      const found = findShell({ platform: 'win32', env, isExecutable: (path) => there.includes(path) });
      assert.deepEqual(found, name === undefined ? undefined : { name, path: there[0] });
    });
  }

  it('X04: reads no profile, asks nobody, and gets its script as one plain word', () => {
    const args = powershellArgs('Get-ChildItem', NOTE);
    const options = ['-NoLogo', '-NoProfile', '-NonInteractive', '-OutputFormat', 'Text', '-EncodedCommand'];
    assert.deepEqual(args.slice(0, -1), options);
    assert.match(args.at(-1) ?? '', /^[A-Za-z0-9+/=]+$/);
  });

  it('X04: any command and any folder arrive as they are, and change nothing of the script around them', () => {
    const frame = scriptOf('').replace(/'[^']*'\)/g, "'')");
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (command) => {
        const script = scriptOf(command);
        assert.deepEqual(textsIn(script), [command, NOTE]);
        assert.equal(script.replace(/'[^']*'\)/g, "'')"), frame);
      }),
    );
    for (const nasty of ["'’‘‚‛", '"; exit 0 #', '$(x) `n %PATH% ^ & |', "@'\n'@", '\r\n--%', '\u202e日本']) {
      assert.deepEqual(textsIn(scriptOf(nasty)), [nasty, NOTE]);
    }
  });

  it('X04: passes the code of the last program on, and 1 for an error that ended the command', () => {
    const lines = scriptOf('x').split('\n');
    const after = lines.slice(lines.indexOf('} catch {'));
    assert.equal(after.includes('  $global:LASTEXITCODE = 1'), true);
    assert.equal(lines.at(-1), 'exit $global:LASTEXITCODE');
  });

  it('R41: what a run has started is ended as a tree, by the system’s own program', () => {
    const expected = { file: 'C:\\Windows\\System32\\taskkill.exe', args: ['/T', '/F', '/PID', '42'] };
    assert.deepEqual(taskkill(42, { SystemRoot: '.' }), expected);
  });

  it('S20: nothing of its commands is understood, so that none passes by itself', () => {
    const line = notUnderstood('Get-ChildItem', 'powershell');
    assert.deepEqual(
      { reads: onlyReads(line), exact: line.commands.map(({ onlyExact }) => onlyExact) },
      { reads: false, exact: ['powershell is not understood'] },
    );
  });

  for (const alias of ['powershell', 'pwsh', 'PowerShellTool']) {
    it(`X04: a model that calls ${alias} means the shell`, () =>
      withTools({}, async ({ call }) => {
        assert.equal((await call(alias, { command: 'echo here' })).text, 'here\n');
      }));
  }
});

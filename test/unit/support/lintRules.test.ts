// The lint rules that keep shell strings out, on sources written for the purpose.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { root } from '../../support/sourceTree';

const IMPORT = "import { spawn } from 'node:child_process';\n";

describe('S62 lint: no shell strings', () => {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'eslint.config.mjs') });
  const RULES = ['no-restricted-imports', 'no-restricted-syntax'];

  /** As a script, so that no compiler has to be started; the rules are those of every file. */
  async function found(code: string): Promise<number> {
    const [result] = await eslint.lintText(code, { filePath: join(root, 'test/support/planted.mjs') });
    return (result?.messages ?? []).filter(({ ruleId }) => RULES.includes(ruleId ?? '')).length;
  }
  const check = (flagged: boolean, code: string) =>
    it(`S62: ${flagged ? 'flags' : 'lets pass'} ${code.replace(IMPORT, '').trim()}`, async () => {
      assert.equal((await found(code)) > 0, flagged);
    }).timeout(60_000);

  check(true, "import { exec } from 'node:child_process';\nexec('ls');");
  check(true, "import { execSync as run } from 'child_process';\nrun('ls');");
  check(true, "import * as processes from 'node:child_process';\nprocesses.exec('ls');");
  check(true, "import processes from 'node:child_process';\nprocesses.exec('ls');");
  check(true, "const { exec } = await import('node:child_process');\nexec('ls');");
  check(true, "const { exec } = require('child_process');\nexec('ls');");
  check(true, `${IMPORT}spawn('ls', [], { shell: true });`);
  check(true, `${IMPORT}spawn('ls', [], { shell: process.env.SHELL });`);
  check(true, `${IMPORT}spawn('ls', [], { 'shell': '/bin/sh' });`);
  check(true, `${IMPORT}const name = 'a';\nspawn('sh', ['-c', \`ls \${name}\`]);`);
  check(true, `${IMPORT}const name = 'a';\nspawn('/bin/sh', ['-c', 'ls ' + name]);`);
  check(true, `${IMPORT}const name = 'a';\nspawn(\`ls \${name}\`);`);
  check(false, `${IMPORT}spawn('ls', ['-l', 'a b'], { shell: false });`);
  check(false, `${IMPORT}const SCRIPT = 'echo "$1"';\nspawn('/bin/sh', ['-c', SCRIPT, 'sh', 'a']);`);
  check(false, "const [, name] = /a(b)/.exec('ab') ?? [];\nexport { name };");
});

describe('S62 lint: every floor', () => {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'eslint.config.mjs') });
  for (const file of ['src/common/a.ts', 'src/core/a.ts', 'src/node/a.ts', 'src/vscode/a.ts', 'test/unit/a.test.ts']) {
    it(`S62: the rules hold in ${file}`, async () => {
      const { rules = {} } = ((await eslint.calculateConfigForFile(join(root, file))) ?? {}) as {
        rules?: Record<string, unknown>;
      };
      const [imports, syntax] = ['no-restricted-imports', 'no-restricted-syntax'].map((rule) =>
        JSON.stringify(rules[rule]),
      );
      assert.match(imports ?? '', /node:child_process.*exec/);
      assert.match(syntax ?? '', /shell/);
    });
  }
});

// Rules from settings: read at each decision, told when they cannot be read, and never dropped where they forbid.
import assert from 'node:assert/strict';
import { readSettingRules, ruleNotices } from '../../../../src/core/permission/settingRules';
import type { Effect } from '../../../../src/core/permission/types';
import { createSettings } from '../../../../src/node/settings';
import { TOOLS } from '../../../../src/tools/index';

const FORM =
  'Write a tool’s name, and what of it in parentheses: bash(npm test:*), edit(src/**), webfetch(domain:example.com).';

interface Expected {
  /** `undefined`: no rule at all. */
  readonly rule?: { readonly tool: string; readonly pattern?: string };
  readonly problem?: string;
}

function check(effect: Effect, text: string, { rule, problem }: Expected): void {
  it(`${effect} ${JSON.stringify(text)}`, () => {
    const setting = `permission.${effect}` as const;
    assert.deepEqual(readSettingRules(createSettings({ [setting]: [text] })), {
      rules: rule ? [{ effect, source: 'user', ...rule }] : [],
      problems: problem === undefined ? [] : [{ setting, text, problem }],
    });
  });
}

describe('rules from settings', () => {
  check('allow', 'bash(npm test:*)', { rule: { tool: 'bash', pattern: 'npm test:*' } });
  check('deny', 'Read(secrets/**)', { rule: { tool: 'Read', pattern: 'secrets/**' } });
  check('allow', 'bash(npm test', { problem: `It allows nothing: it cannot be read. ${FORM}` });
  check('deny', 'bash(rm:*', {
    rule: { tool: 'bash', pattern: 'rm:*' },
    problem: `It cannot be read, and is taken as bash(rm:*). ${FORM}`,
  });
  check('ask', 'bash()', { rule: { tool: 'bash' }, problem: `It cannot be read, and is taken as bash. ${FORM}` });
  check('deny', '*', { problem: `It holds for nothing: it cannot be read. ${FORM}` });
  function checkNotices(title: string, effect: Effect, texts: readonly string[], expected: readonly string[]): void {
    it(title, () => {
      const read = readSettingRules(createSettings({ [`permission.${effect}`]: texts }));
      assert.deepEqual(ruleNotices(read, TOOLS), expected);
    });
  }

  checkNotices(
    'a path from the root of the file system',
    'deny',
    ['read(/etc/**)', 'Glob(/etc/**)', 'edit(//etc/**)', 'bash(/bin/ls)'],
    [
      'The rule "read(/etc/**)" in lathe.permission.deny: For a path from the root of the file system write two slashes: read(//etc/**).',
      'The rule "Glob(/etc/**)" in lathe.permission.deny: For a path from the root of the file system write two slashes: Glob(//etc/**).',
    ],
  );
  checkNotices(
    'a pattern for commands in place of a path',
    'ask',
    ['write(src:*)', 'bash(src:*)'],
    [
      'The rule "write(src:*)" in lathe.permission.ask: This is a pattern for commands; a path takes a glob, such as write(src/**).',
    ],
  );
  checkNotices(
    'an address without its host',
    'allow',
    ['webfetch(example.com)', 'web(domain:example.com)'],
    [
      'The rule "webfetch(example.com)" in lathe.permission.allow: An address is meant by its host: webfetch(domain:example.com).',
    ],
  );
  checkNotices(
    'a command without a program',
    'allow',
    ['bash(* --version)', 'bash(npm run *)'],
    [
      'The rule "bash(* --version)" in lathe.permission.allow: It allows nothing: a rule that allows names its program, such as bash(npm run *).',
    ],
  );
  checkNotices(
    'what cannot be read',
    'deny',
    ['*'],
    [`The rule "*" in lathe.permission.deny: It holds for nothing: it cannot be read. ${FORM}`],
  );
  checkNotices(
    'a name that no tool has, whatever its case; one of a server that may connect later is not',
    'deny',
    ['Bash(rm:*)', 'mcp__a__b', 'shel(x)', 'edit', 'powershell(x)'],
    [
      'A rule of yours names the tool "shel", which there is not.',
      'A rule of yours names the tool "powershell", which there is not.',
    ],
  );
});

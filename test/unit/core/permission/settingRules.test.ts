// Rules from settings: read at each decision, told when they cannot be read, and never dropped where they forbid.
import assert from 'node:assert/strict';
import { readSettingRules, ruleNotices } from '../../../../src/core/permission/settingRules';
import type { Effect } from '../../../../src/core/permission/types';
import { createSettings } from '../../../../src/node/settings';

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
  check('deny', 'read(/etc/**)', {
    rule: { tool: 'read', pattern: '/etc/**' },
    problem: 'For a path from the root of the file system write two slashes: read(//etc/**).',
  });
  check('deny', 'webfetch(example.com)', {
    rule: { tool: 'webfetch', pattern: 'example.com' },
    problem: 'An address is meant by its host: webfetch(domain:example.com).',
  });

  it('a name that no tool has is told, whatever its case; one of a server that may connect later is not', () => {
    const read = readSettingRules(
      createSettings({ 'permission.deny': ['Bash(rm:*)', 'mcp__a__b', 'shel(x)', 'edit'] }),
    );
    assert.deepEqual(ruleNotices(read, [{ name: 'bash', kind: 'shell' }]), [
      'A rule of yours names the tool "shel", which there is not.',
    ]);
  });
});

// Judges the cases about commands: the bash tool, the default mode, the rules of the case as the person's own.
import { parseRule } from '../../../src/core/permission/rules';
import type { Rule } from '../../../src/core/permission/types';
import type { Shell } from '../../../src/core/shell';
import { faultOfAsks, judgeCall } from './calls';
import type { Case, Judged } from './cases';
import type { World } from './world';

export interface CommandCase extends Case {
  readonly command: string;
  readonly shell?: string;
  /** As in `bash(…)`. */
  readonly allow_rules?: readonly string[];
}

export async function judgeCommand(
  { command, shell = 'bash', allow_rules = [], must_show }: CommandCase,
  world: World,
): Promise<Judged> {
  const rules = allow_rules.flatMap((pattern) => parseRule(`bash(${pattern})`, 'allow', 'user') ?? []);
  if (rules.length < allow_rules.length) throw new Error(`One of its rules is none: ${allow_rules.join(', ')}`);
  const named: Shell['name'] = /^(powershell|pwsh)/i.test(shell) ? 'powershell' : shellName(shell);
  const judge = (by: readonly Rule[]) =>
    judgeCall(world, {
      ...{ tool: 'bash', input: { command }, mode: 'ask', rules: by },
      host: { shell: { ...world.host.shell, name: named } },
    });
  if (rules.length > 0 && (await judge([])).decision === 'allow') return { got: 'read-only-auto' };
  const { decision, asks } = await judge(rules);
  const fault = faultOfAsks(asks, must_show);
  const got = decision !== 'allow' ? decision : rules.length > 0 ? 'rule-auto' : 'read-only-auto';
  return { got, ...(fault === undefined ? {} : { fault }) };
}

function shellName(name: string): Shell['name'] {
  return name === 'zsh' || name === 'sh' ? name : 'bash';
}

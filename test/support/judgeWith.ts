// One call put before the permissions of a session, and answered.
import assert from 'node:assert/strict';
import { MAIN_AGENT } from '../../src/common/events';
import type { Permissions } from '../../src/core/permission/permissions';
import type { Target } from '../../src/core/permission/types';
import { TOOLS } from '../../src/tools/index';

/** The reasons of each ask that came; answered with `decision`. */
export async function judgeWith(
  permissions: Permissions,
  name: string,
  target: Target,
  decision: 'once' | 'session' | 'always' = 'once',
): Promise<readonly (readonly string[])[]> {
  const tool = TOOLS.find((each) => each.name === name);
  assert.ok(tool);
  const reasons: (readonly string[])[] = [];
  await permissions.decide({
    ...{ tool, input: { command: 'x' }, call: 'c1', agent: MAIN_AGENT, title: name, targets: [target], mode: 'ask' },
    signal: new AbortController().signal,
    ask: (ask) => {
      reasons.push(ask.reasons);
      return Promise.resolve({ kind: 'permission', decision });
    },
  });
  return reasons;
}

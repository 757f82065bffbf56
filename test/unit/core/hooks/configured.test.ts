// The setting `hooks`: which commands run for what, and what is said about the rest.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hooksFor, labelOf, problemsOf, type HooksSetting } from '../../../../src/core/hooks/configured';

const command = (name: string, more: object = {}) => ({ type: 'command' as const, command: name, ...more });
const hooks: HooksSetting = {
  PreToolUse: [
    { matcher: 'bash|edit', hooks: [command('a', { timeout: 5 }), command('b')] },
    { matcher: 'mcp__.*', hooks: [command('c')] },
    { matcher: '*', hooks: [command('a'), command('d')] },
    { hooks: [command('e', { timeout: 10_000 })] },
    { matcher: '', hooks: [command('f', { timeout: -1 })] },
  ],
  Stop: [{ matcher: 'ignored', hooks: [command('s')] }],
  Notification: [{ matcher: 'permission_prompt', hooks: [command('n')] }],
};

function check(
  name: string,
  event: 'PreToolUse' | 'Stop' | 'Notification' | 'TurnEnd',
  subjects: string[],
  expected: string[],
): void {
  it(name, () =>
    assert.deepEqual(
      hooksFor(hooks, event, subjects).map((hook) => `${labelOf(hook)} ${hook.timeoutMs}`),
      expected,
    ),
  );
}

describe('O07: hooks of an event', () => {
  const all = ['d 60000', 'e 600000', 'f 60000'];
  check('by the whole name, each command once', 'PreToolUse', ['bash'], ['a 5000', 'b 60000', ...all]);
  check('by another name and in any case', 'PreToolUse', ['write', 'Edit'], ['a 5000', 'b 60000', ...all]);
  check('by an expression', 'PreToolUse', ['mcp__x__y'], ['c 60000', 'a 60000', ...all]);
  check('not by a part of a name', 'PreToolUse', ['bashful'], ['a 60000', ...all]);
  check('without anything to match', 'Stop', [], ['s 60000']);
  check('by the kind of a notification', 'Notification', ['permission_prompt'], ['n 60000']);
  check('of another kind', 'Notification', ['elicitation_dialog'], []);
  check('none', 'TurnEnd', [], []);
});

describe('O07: what is wrong in the setting', () => {
  const problems = (name: string, setting: unknown, expected: string[]): void => {
    it(name, () => assert.deepEqual(problemsOf(setting as HooksSetting), expected));
  };
  problems('nothing', { SubagentStop: [{ hooks: [command('a')] }] }, []);
  problems('an event', { pretooluse: [] }, ['lathe.hooks: there is no event "pretooluse"; the nearest is PreToolUse.']);
  problems('no list', { Stop: { hooks: [] } }, [
    'lathe.hooks: Stop is not a list of entries, so none of its hooks run.',
  ]);
  problems('no hooks', { Stop: [command('a')] }, [
    'lathe.hooks: Stop, entry 1 has no list "hooks", so nothing of it runs.',
  ]);
  problems('no command', { Stop: [{ hooks: [command('a'), command(' ')] }] }, [
    'lathe.hooks: Stop, entry 1 has a hook without a command.',
  ]);
  problems('a matcher that is no text', { PreToolUse: [{ matcher: 1, hooks: [command('a')] }] }, [
    'lathe.hooks: PreToolUse, entry 1 does not run: its matcher 1 is no regular expression.',
  ]);

  it('never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'x'), fc.jsonValue()), (written) => {
        const setting = written as unknown as HooksSetting;
        problemsOf(setting);
        assert.ok(Array.isArray(hooksFor(setting, 'PreToolUse', ['bash'])));
      }),
    );
  });
});

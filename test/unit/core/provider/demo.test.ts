// The demo model's path: each step follows from what the real tools answered, and every refusal ends it politely.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/common/json';
import { callsOfTurn, nextStep } from '../../../../src/core/provider/demo';

type Done = Parameters<typeof nextStep>[0][number];

function call(name: string, input: JsonObject, text: string, isError = false): Done {
  return { name, input, text, isError };
}

const LISTED = call('ls', { path: '.' }, 'src/\n  cart.js\ntest/\n  cart.test.js');
const READ = call('read', { file_path: 'src/cart.js' }, '2\treturn items.reduce((sum, item) => sum + item.price, 0);');
const FAILED = call('bash', {}, '# fail 2\nexit code 1', true);
const EDITED = call('edit', {}, 'edited');
const PASSED = call('bash', {}, '# fail 0');

function check(name: string, done: readonly Done[], calls: readonly string[], words: RegExp): void {
  it(name, () => {
    const step = nextStep(done);
    assert.deepEqual(
      (step.calls ?? []).map((next) => next.name),
      calls,
    );
    assert.match(step.text, words);
  });
}

describe('O40 demo model', () => {
  check('begins by saying what it is', [], ['ls'], /demo model/);
  check('reads the demo project', [LISTED], ['todowrite', 'read', 'read'], /steps/);
  check('runs the tests before it changes anything', [LISTED, READ], ['bash'], /failure/);
  check('edits after a failing run', [LISTED, READ, FAILED], ['todowrite', 'edit'], /quantity/);
  check('runs them again', [LISTED, READ, FAILED, EDITED], ['todowrite', 'bash'], /again/);
  check('closes its list', [LISTED, READ, FAILED, EDITED, PASSED], ['todowrite'], /pass/);
  check(
    'stops when the edit is declined',
    [LISTED, READ, FAILED, call('edit', {}, 'no', true)],
    [],
    /did not go through/,
  );
  check('stops when the run is declined', [LISTED, READ, call('bash', {}, 'declined', true)], [], /could not be run/);
  check(
    'stops without node',
    [LISTED, READ, call('bash', {}, 'node: command not found', true)],
    [],
    /could not be run/,
  );
  check('has nothing to do once fixed', [LISTED, call('read', READ.input, 'item.price * item.quantity')], [], /not in/);
  check('only reads elsewhere', [call('ls', {}, 'README.md\nsrc/')], ['read'], /says about itself/);
  check(
    'ends elsewhere without an edit',
    [call('ls', {}, 'README.md'), call('read', { file_path: 'README.md' }, 'x')],
    [],
    /do not change/,
  );
  check('ends where there is no README', [call('ls', {}, 'src/')], [], /API Key/);
  check('ends where nothing can be listed', [call('ls', {}, 'no folder', true)], [], /could not be listed/);

  it('counts the calls since the person’s last words', () => {
    const calls = callsOfTurn([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', text: 'old', isError: false }] },
      { role: 'user', content: [{ type: 'text', text: 'two' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'read', input: { file_path: 'x' } }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'b', text: 'new', isError: true }] },
    ]);
    assert.deepEqual(calls, [{ name: 'read', input: { file_path: 'x' }, text: 'new', isError: true }]);
  });
});

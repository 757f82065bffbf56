// What a person is asked: bound to the call that it is about, and bounded without hiding what matters.
import assert from 'node:assert/strict';
import type { PermissionAsk } from '../../../../src/common/asks';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { bash } from '../../../../src/tools/bash';
import { withTools } from '../../../support/toolTest';
import { callOf, withTurn } from './turn';

describe('the digest of an ask', () => {
  it('S21: is one for each ask, whatever it is about', () =>
    withTools(
      {},
      async (test) => {
        for (const command of ['touch a', 'touch b', 'touch a']) await test.call('bash', { command });
        const digests = test.asks.map((ask) => (ask.kind === 'permission' ? ask.digest : undefined));
        assert.match(digests[0] ?? '', /^[0-9a-f]{64}$/);
        assert.equal(new Set(digests).size, 3);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'once' }) },
    ));

  it('S21: an answer to what was not shown is dropped, and so is one to a rule that was not offered', () =>
    withTurn([bash], { mode: 'ask' }, async (test) => {
      const running = runToolCall(callOf('bash', { command: 'touch a' }), test.turn);
      const { ask } = await test.seen('ask/opened');
      const answer = (more: object) => test.asks.answer(ask.id, { kind: 'permission', decision: 'session', ...more });
      assert.deepEqual([answer({ digest: 'another' }), answer({ grant: 9 }), test.asks.pending], [false, false, 1]);
      const { digest = '' } = ask as { readonly digest?: string };
      assert.deepEqual([answer({ digest }), answer({ digest })], [true, false]);
      assert.equal((await running).status, 'done');
    }));
});

describe('what a person reads of a long command', () => {
  it('S84: what asks is among the parts that are shown, however many only read', () =>
    withTurn([bash], { mode: 'ask' }, async (test) => {
      const lines = [...Array.from({ length: 90 }, (_, at) => `echo ${at}`), 'rm -rf build', 'touch a'];
      const running = runToolCall(callOf('bash', { command: lines.join('\n') }), test.turn);
      const { ask } = await test.seen('ask/opened');
      const { parts = [], moreParts } = ask as PermissionAsk;
      assert.deepEqual(
        { first: parts.slice(0, 3).map(({ text }) => text), shown: parts.length, moreParts },
        { first: ['rm -rf build', 'touch a', 'echo 0'], shown: 60, moreParts: 32 },
      );
      test.asks.answer(ask.id, { kind: 'permission', decision: 'deny' });
      await running;
    }));

  it('S85: to the model hidden characters are left out, to people they are told with the reason', () =>
    withTurn([bash], { mode: 'plan' }, async (test) => {
      await runToolCall(callOf('bash', { command: 'x', cwd: 'no\u202ewhere' }), test.turn);
      const { text, problem = '' } = await test.seen('tool/finished');
      assert.match(
        text,
        /nowhere is not a folder.*\n\(1 invisible character is left out here; the original still has it\.\)$/s,
      );
      assert.match(problem, /no\u202ewhere is not a folder[^(]*$/);
    }));
});

// What a hook's exit code and outputs mean, event by event.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerOf, type HookAnswer } from '../../../../src/core/hooks/answer';
import { infoOf, type HookEvent } from '../../../../src/core/hooks/events';
import type { HookExit } from '../../../../src/core/hooks/run';

const hookAt = (event: HookEvent) => ({ event, command: 'check', timeoutMs: 1_500 });
const exited = (code: number, stdout = '', stderr = '', isCut = false): HookExit => ({
  how: 'exited',
  ended: `exit code ${code}`,
  code,
  stdout,
  stderr,
  isCut,
});
const said = (answer: object): HookExit => exited(0, `\n${JSON.stringify(answer)}\n`);

function check(name: string, event: HookEvent, exit: HookExit, expected: HookAnswer): void {
  it(name, () => assert.deepEqual(answerOf(hookAt(event), exit), expected));
}

describe('O07: the answer of a hook', () => {
  const deny = (reason: string): HookAnswer => ({ decision: { effect: 'deny', reason } });

  check('silence', 'PreToolUse', exited(0), {});
  check('plain words are context where they may be', 'UserPromptSubmit', exited(0, ' ticket 12\n'), {
    context: 'ticket 12',
  });
  check('also when they look like JSON', 'SessionStart', exited(0, '{ x }'), { context: '{ x }' });
  check('plain words elsewhere are for nobody', 'PreToolUse', exited(0, 'checked'), {});
  check('code 2', 'PreToolUse', exited(2, 'x', 'no\n'), deny('no'));
  check('code 2 without a word', 'Stop', exited(2), deny('It gave no reason.'));
  check('code 2 where nothing can be blocked', 'Notification', exited(2, '', 'no'), {
    problem: 'ended with exit code 2, which blocks nothing here: no',
  });
  check('another code, whatever stands on its output', 'PreToolUse', exited(1, '{"decision":"block"}', 'a\nb\n'), {
    problem: 'ended with exit code 1: a\nb',
  });
  check('a time limit', 'PreToolUse', { how: 'timeout' }, { problem: 'did not end within 1.5 s and was ended' });
  check('a stop', 'PreToolUse', { how: 'stopped' }, {});
  check(
    'no start',
    'PreToolUse',
    { how: 'unstarted', reason: 'no folder' },
    { problem: 'could not be started: no folder' },
  );
  check(
    'everything at once',
    'PreToolUse',
    said({
      continue: false,
      stopReason: 'enough',
      suppressOutput: true,
      systemMessage: 'hello',
      hookSpecificOutput: {
        permissionDecision: 'ask',
        permissionDecisionReason: 'look',
        additionalContext: 'more',
        updatedInput: { a: 1 },
      },
    }),
    {
      message: 'hello',
      isQuiet: true,
      context: 'more',
      decision: { effect: 'ask', reason: 'look' },
      input: { a: 1 },
      halt: 'enough',
    },
  );
  check('the old words', 'PreToolUse', said({ decision: 'approve', reason: 'fine' }), {
    decision: { effect: 'allow', reason: 'fine' },
  });
  check('an allow where none can be given', 'UserPromptSubmit', said({ decision: 'approve' }), {});
  check(
    'fields of other types than they should have',
    'PreToolUse',
    said({
      continue: 'no',
      systemMessage: 1,
      hookSpecificOutput: [],
      decision: null,
    }),
    {},
  );
  check(
    'control characters and hidden text',
    'PreToolUse',
    exited(2, '', '\u001b[31mred\u001b[0m\u202e\u0007 text'),
    deny('red text'),
  );
  check('what is too long', 'UserPromptSubmit', exited(0, 'x'.repeat(12_000)), {
    context: `${'x'.repeat(10_000)}… (2000 characters left out)`,
  });

  const tooLong = 'answered with more than 64 KB, so the answer cannot be read';
  check(
    'a decision that is too long to be read is a person’s',
    'PreToolUse',
    exited(0, '{"decision":"block', '', true),
    {
      problem: tooLong,
      decision: { effect: 'ask', reason: 'Its answer is too long to be read.' },
    },
  );
  check('and where nobody can be asked it says nothing', 'PostToolUse', exited(0, '{"decision":"block', '', true), {
    problem: tooLong,
  });
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
  check('an answer that is nested too deep', 'Stop', exited(0, `{"a":${deep}}`), {
    problem: `answered with what begins like JSON and is none: {"a":${'['.repeat(495)}… (506 characters left out)`,
  });

  it('is never a yes or a change where the event knows none, whatever is written', () => {
    const word = fc.oneof(fc.constantFrom('allow', 'ask', 'deny', 'block', 'approve'), fc.json().map(String));
    const answer = fc.record(
      {
        decision: word,
        continue: fc.boolean(),
        hookSpecificOutput: fc.record(
          { permissionDecision: word, decision: fc.record({ behavior: word }), updatedInput: fc.jsonValue() },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const event = fc.constantFrom<HookEvent>(
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'UserPromptSubmit',
      'TurnEnd',
    );
    fc.assert(
      fc.property(event, answer, (at, json) => {
        const { decision, input } = answerOf(hookAt(at), said(json));
        if (decision) assert.ok(infoOf(at).effects.includes(decision.effect));
        if (at !== 'PreToolUse') assert.equal(input, undefined);
      }),
    );
  });

  it('is something for every output', () => {
    const outputs = fc.tuple(
      fc.integer({ min: 0, max: 255 }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(outputs, ([code, stdout, stderr]) => {
        const {
          context = '',
          problem = '',
          decision,
        } = answerOf(hookAt('UserPromptSubmit'), exited(code, stdout, stderr));
        for (const text of [context, problem, decision?.reason ?? '']) assert.equal(Buffer.from(text).toString(), text);
      }),
    );
  });
});

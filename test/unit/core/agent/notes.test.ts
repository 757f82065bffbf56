// What the model is told besides the prompt, and that it is told once.
import assert from 'node:assert/strict';
import type { Todo } from '../../../../src/common/display';
import type { Mode } from '../../../../src/common/modes';
import type { SandboxState } from '../../../../src/core/shell';
import { dueNotes } from '../../../../src/core/agent/notes';

const NOON = Date.UTC(2026, 10, 30, 12);
const DATE = 'Today is Monday, 2026-11-30.';

interface Case {
  readonly mode?: Mode;
  readonly isTrusted?: boolean;
  readonly sandbox?: SandboxState;
  readonly todos?: readonly Todo[];
  readonly isTurnStart?: boolean;
  readonly nowMs?: number;
  readonly timeZone?: string;
  readonly told?: Readonly<Record<string, string>>;
}

function due({
  mode = 'ask',
  isTrusted = true,
  sandbox = { kind: 'off' },
  todos = [],
  isTurnStart = true,
  nowMs = NOON,
  timeZone = 'UTC',
  told = {},
}: Case) {
  return dueNotes(
    { clock: { now: () => nowMs }, platform: { timeZone }, mode, isTrusted, sandbox, todos, isTurnStart },
    (about) => told[about],
  );
}

const todo = (status: Todo['status'], content = 'Fix'): Todo => ({ id: '1', content, status });

describe('notes', () => {
  const check = (name: string, given: Case, expected: readonly RegExp[]): void => {
    it(name, () => {
      const notes = due(given).map(({ about, text }) => `${about}: ${text}`);
      assert.equal(notes.length, expected.length, notes.join('\n'));
      for (const [at, pattern] of expected.entries()) assert.match(notes[at] ?? '', pattern);
    });
  };
  const ask = due({}).find(({ about }) => about === 'mode')!.text;
  const told = { date: DATE, mode: ask };

  check('at first: date and mode', {}, [/^date: Today is Monday, 2026-11-30\.$/, /^mode: Mode: ask\./]);
  check('nothing has changed', { told }, []);
  check('S50: a workspace that is not trusted', { told, isTrusted: false }, [
    /^trust: The person has not trusted this/,
  ]);
  const distrusted = due({ isTrusted: false }).find(({ about }) => about === 'trust')!.text;
  check('S50: still not', { told: { ...told, trust: distrusted }, isTrusted: false }, []);
  check('S50: trusted by now', { told: { ...told, trust: distrusted } }, [
    /^trust: The person trusts this workspace now/,
  ]);
  const on = { kind: 'on', isRequired: false } as const;
  const sandboxed = due({ sandbox: on }).find(({ about }) => about === 'sandbox')!.text;
  check('S16: commands run in a sandbox', { told, sandbox: on }, [
    /^sandbox: Commands run in a sandbox: no network.*ask/,
  ]);
  check('S16: they still do', { told: { ...told, sandbox: sandboxed }, sandbox: on }, []);
  check('S16: nothing runs outside', { told, sandbox: { ...on, isRequired: true } }, [/Nothing runs outside it\.$/]);
  check('S16: there is none', { told, sandbox: { kind: 'missing', reason: 'x', isRequired: false } }, [
    /^sandbox: Commands run without a sandbox: there is none here\.$/,
  ]);
  check('S16: no longer', { told: { ...told, sandbox: sandboxed } }, [/^sandbox: Commands run without a sandbox now/]);
  check('the mode has changed', { told, mode: 'plan' }, [/^mode: Mode: plan\. Read and search only/]);
  check('midnight has passed', { told, nowMs: NOON + 86_400_000 }, [/Tuesday, 2026-12-01/]);
  check('where it is another day already', { told, timeZone: 'Pacific/Kiritimati' }, [/Tuesday, 2026-12-01/]);
  check('open todos at the start of a turn', { told, todos: [todo('completed', 'Look'), todo('pending')] }, [
    /^todos: Your todo list:\n- \[completed\] Look\n- \[pending\] Fix$/,
  ]);
  check('within a turn the model has just written them', { told, todos: [todo('pending')], isTurnStart: false }, []);
  check('done todos are not worth a word', { told, todos: [todo('completed')] }, []);
  check('unless the model was told of open ones', { told: { ...told, todos: 'x' }, todos: [todo('completed')] }, [
    /nothing that is open/,
  ]);
});

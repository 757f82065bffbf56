// Hooks for scenario tests: the check of a whole session with them, and the shell commands that say this or that.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { PermissionAsk } from '../../src/common/asks';
import type { TurnEnd } from '../../src/common/events';
import type { SettingValue } from '../../src/common/settings';
import { systemClock } from '../../src/node/clock';
import { reply, text, toolUse, type Reply } from './model-server/scenario';
import { countedTools, withSession, type SessionTest, type SessionTestOptions } from './sessionTest';

export type HooksSetting = SettingValue<'hooks'>;

/** Commands at one event; each is a hook of its own, for every tool. */
export function at(event: string, ...commands: string[]): HooksSetting {
  return { [event]: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] };
}

/** A command that answers with this. */
export function says(answer: object): string {
  return `cat > /dev/null; cat <<'END'\n${JSON.stringify(answer)}\nEND`;
}

export function decides(permissionDecision: string, permissionDecisionReason = 'because', more: object = {}): string {
  const specific = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...more };
  return says({ hookSpecificOutput: specific });
}

export interface Case extends Partial<SessionTestOptions> {
  readonly hooks: HooksSetting;
  readonly replies?: readonly Reply[];
  readonly prompts?: readonly string[];
  readonly ends?: readonly TurnEnd[];
  readonly runs?: readonly string[];
  /** Results in order, as `status: text`. */
  readonly results?: readonly RegExp[];
  readonly notices?: readonly RegExp[];
  /** Of the last request: what its last message says. */
  readonly lastWords?: RegExp;
  /** Answers each ask; the reasons of all are compared with `reasons`. */
  readonly answer?: 'once' | 'deny';
  readonly reasons?: readonly (readonly string[])[];
  also?(test: SessionTest): Promise<void> | void;
}

export const POKED = [reply(toolUse('poke', { id: 'a' })), reply(text('Done'))];
export const PEEKED = [reply(toolUse('peek', { id: 'a' })), reply(text('Done'))];

export function check(name: string, expected: Case): void {
  const { hooks, replies = POKED, prompts = ['Go'], ends = ['done'], answer, settings, ...options } = expected;
  it(name, async () => {
    const counted = countedTools();
    const all = { tools: counted.tools, hostClock: systemClock, ...options, replies, settings: { ...settings, hooks } };
    await withSession(all, async (test) => {
      const asked: (readonly string[])[] = [];
      test.session.subscribe((event) => {
        if (event.type !== 'ask/opened') return;
        asked.push((event.ask as PermissionAsk).reasons);
        // The ask is there before anybody can be waiting for its answer.
        setImmediate(() => test.asks.answer(event.ask.id, { kind: 'permission', decision: answer ?? 'deny' }));
      });
      const ended: string[] = [];
      for (const prompt of prompts) ended.push(await test.session.prompt(prompt));
      assert.deepEqual(ended, ends);
      assert.deepEqual(counted.runs, expected.runs ?? []);
      assert.deepEqual(asked, expected.reasons ?? []);
      match(
        test.of('tool/finished').map((event) => `${event.status}: ${event.text}`),
        expected.results,
      );
      match(
        test.of('notice').map((event) => event.text),
        expected.notices ?? [],
      );
      if (expected.lastWords) assert.match(lastWords(test), expected.lastWords);
      await expected.also?.(test);
    });
  });
}

function match(actual: readonly string[], patterns: readonly RegExp[] | undefined): void {
  if (!patterns) return;
  assert.equal(actual.length, patterns.length, actual.join('\n'));
  for (const [place, pattern] of patterns.entries()) assert.match(actual[place] ?? '', pattern);
}

export function lastWords({ server }: SessionTest): string {
  const body = server.messageRequests().at(-1)?.body as { readonly messages: readonly unknown[] } | undefined;
  return JSON.stringify(body?.messages.at(-1));
}

export function replaces(updatedInput: unknown): string {
  return says({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } });
}

export function permits(behavior: string, more: object = {}): string {
  return says({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...more } } });
}

/** Waits for the other one, so that it fails when they do not run at the same time. */
export function meets(mine: string, other: string): string {
  return `touch ../${mine}; for i in $(seq 100); do [ -e ../${other} ] && exit 0; sleep 0.05; done; exit 2`;
}

/** Keeps what the hook is told where `kept` finds it; the last one counts. */
export function keeps(): string {
  return 'cat > ../told';
}

export async function kept({ workspace }: SessionTest): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`${workspace.outside}/told`, 'utf8')) as Record<string, unknown>;
}

export function labelOf(command: string): string {
  const line = command.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

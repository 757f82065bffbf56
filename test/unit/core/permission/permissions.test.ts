// The permission state of a session over the node host: grants, refusals and waiting asks, as a person answers them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { AskAnswer, PermissionAsk } from '../../../../src/common/asks';
import { MAIN_AGENT } from '../../../../src/common/events';
import type { JsonObject } from '../../../../src/common/json';
import type { Asker } from '../../../../src/core/host';
import { createAskQueue } from '../../../../src/core/permission/askQueue';
import { Permissions, type Decision, type PermissionRequest } from '../../../../src/core/permission/permissions';
import { parseRule } from '../../../../src/core/permission/rules';
import type { Rule, Target } from '../../../../src/core/permission/types';
import type { AskQueue } from '../../../../src/core/session/types';
import { unattended } from '../../../../src/node/asker';
import { TOOLS } from '../../../../src/tools/index';
import { line, simple } from '../../../support/commandLine';
import { judgeWith } from '../../../support/judgeWith';
import { inWorkspace, type Workspace } from '../../../support/workspace';

const by = (because: string): Decision => ({ allow: true, because });
const ONCE = by('you, once');
const SESSION = by('you, for this session');
const DECLINED: Decision = {
  allow: false,
  status: 'denied',
  reason: 'The person declined this call. Do not try the same thing another way.',
};

interface Desk extends Workspace {
  readonly permissions: Permissions;
  readonly queue: AskQueue;
  /** Every ask that was opened, the oldest first. */
  readonly asks: readonly PermissionAsk[];
  readonly stop: AbortController;
  request(tool: string, input: JsonObject, target: Target, more?: Partial<PermissionRequest>): Promise<Decision>;
  /** Answers the ask at that place once it is open. */
  answer(at: number, answer: Extract<AskAnswer, { kind: 'permission' }>['decision'], note?: string): Promise<void>;
  opened(count: number): Promise<void>;
}

function desk(name: string, use: (desk: Desk) => Promise<void>, rules: readonly Rule[] = []): void {
  it(name, () => inWorkspace({ 'a.txt': 'a', 'sub/b.txt': 'b' }, async (workspace) => use(makeDesk(workspace, rules))));
}

function makeDesk(workspace: Workspace, rules: readonly Rule[]): Desk {
  const permissions = new Permissions(workspace.host, { rules: () => ({ rules, problems: [] }) });
  const queue = createAskQueue();
  const asks: PermissionAsk[] = [];
  const stop = new AbortController();
  const asker: Asker = {
    hasPerson: true,
    ask: (ask, signal) => {
      if (ask.kind === 'permission') asks.push(ask);
      return queue.ask(ask, signal);
    },
  };
  const opened = async (count: number): Promise<void> => {
    while (asks.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...workspace,
    ...{ permissions, queue, asks, stop, opened },
    request(name, input, target, more = {}) {
      const tool = TOOLS.find((each) => each.name === name);
      if (!tool) throw new Error(`There is no tool ${name}.`);
      return permissions.decide({
        ...{ tool, input, call: 'c1', agent: MAIN_AGENT, title: name, targets: [target], mode: 'ask' },
        signal: stop.signal,
        ask: (ask, signal) => asker.ask(ask, signal),
        ...more,
      });
    },
    async answer(at, decision, note) {
      await opened(at + 1);
      const { id = '' } = asks[at] ?? {};
      assert.ok(queue.answer(id, { kind: 'permission', decision, ...(note === undefined ? {} : { note }) }));
    },
  };
}

const write = (path: string): Target => ({ op: 'write', path });
const run = (command: string, cwd: string): Target => ({ op: 'execute', command, cwd });

describe('Permissions', () => {
  describe('what is asked', () => {
    desk('the reasons, what may be granted, and who asks', async ({ request, answer, asks, path, root }) => {
      const first = request('write', { file_path: 'a.txt' }, write(path('a.txt')));
      await answer(0, 'once');
      const second = request('bash', { command: 'ls' }, run('ls', root), { agent: 'explorer' });
      await answer(1, 'once');
      assert.deepEqual([await first, await second], [ONCE, ONCE]);
      assert.deepEqual(
        asks.map(({ id: _, ...ask }) => ask),
        [
          {
            ...{ kind: 'permission', call: 'c1', tool: 'write', title: 'write' },
            reasons: ['Changes a.txt'],
            grants: [{ label: 'edits in this workspace', rule: 'edit(**)', mayLast: false }],
          },
          {
            ...{ kind: 'permission', call: 'c1', agent: 'explorer', tool: 'bash', title: 'bash' },
            reasons: ['Runs a command'],
            grants: [{ label: 'this exact command', rule: 'bash(ls)', mayLast: false }],
          },
        ],
      );
    });

    desk('outside the workspace it says where', async ({ request, answer, asks, outside, path }) => {
      const command = request('bash', { command: 'ls' }, run('ls', outside));
      await answer(0, 'once');
      const file = request('write', { file_path: 'x' }, write(path('../x')));
      await answer(1, 'once');
      await Promise.all([command, file]);
      assert.deepEqual(
        asks.flatMap(({ reasons }) => reasons),
        [`Runs a command outside the workspace, in ${outside}`, `Outside the workspace: ${path('../x')}`],
      );
    });

    desk('nothing lasting for what is protected, hidden, or reads like a rule', async (test) => {
      const { request, answer, asks, path, root } = test;
      const targets = [
        write(path('AGENTS.md')),
        write(path('x\u202egnp.exe')),
        run('echo \u202e', root),
        run('rm -rf build:*', root),
        write(path('../odd*name/x')),
      ];
      for (const [at, target] of targets.entries()) {
        const asked = request('write', { at }, target);
        await answer(at, 'session');
        assert.deepEqual(await asked, ONCE);
      }
      assert.deepEqual(
        asks.map(({ grants }) => grants),
        targets.map(() => undefined),
      );
    });
  });

  describe('a grant', () => {
    desk('holds for the session, for what it says and no more', async ({ request, answer, queue, path, root }) => {
      const first = request('write', { at: 1 }, write(path('a.txt')));
      await answer(0, 'session');
      assert.deepEqual(await first, SESSION);
      assert.deepEqual(await request('edit', { at: 2 }, write(path('sub/new.txt'))), by('the rule edit(**)'));
      assert.equal(queue.pending, 0);
      const command = request('bash', { command: 'ls' }, run('ls', root));
      await answer(1, 'once');
      assert.deepEqual(await command, ONCE);
    });

    desk('of a command is bound to its folder', async ({ request, answer, root, path }) => {
      const first = request('bash', { command: 'rm -rf out' }, run('rm -rf out', path('sub')));
      await answer(0, 'session');
      assert.deepEqual(await first, SESSION);
      const again = await request('bash', { command: 'rm -rf out' }, run('rm -rf out', path('sub')));
      assert.deepEqual(again, by('the rule bash(rm -rf out)'));
      const elsewhere = request('bash', { command: 'rm -rf out' }, run('rm -rf out', root));
      await answer(1, 'deny');
      assert.deepEqual(await elsewhere, DECLINED);
    });

    desk('settles the asks that wait and that it covers', async ({ request, answer, opened, queue, path, root }) => {
      const first = request('write', { at: 1 }, write(path('a.txt')));
      await opened(1);
      const covered = request('edit', { at: 2 }, write(path('sub/b.txt')));
      await opened(2);
      const other = request('bash', { command: 'ls' }, run('ls', root));
      await opened(3);
      await answer(0, 'session');
      assert.deepEqual(await Promise.all([first, covered]), [SESSION, SESSION]);
      assert.equal(queue.pending, 1);
      await answer(2, 'deny');
      assert.deepEqual(await other, DECLINED);
    });

    desk(
      'lifts no deny and no ask',
      async ({ request, answer, asks, path }) => {
        const first = request('write', { at: 1 }, write(path('a.txt')));
        await answer(0, 'session');
        await first;
        const denied = await request('write', { at: 2 }, write(path('sub/b.txt')));
        assert.deepEqual(denied.allow === false && denied.status, 'denied');
        const asked = request('write', { at: 3 }, write(path('package-lock.json')));
        await answer(1, 'once');
        await asked;
        assert.deepEqual(asks[1]?.reasons, ['The rule edit(*.json) asks']);
      },
      [parseRule('edit(sub/**)', 'deny', 'workspace'), parseRule('edit(*.json)', 'ask', 'workspace')].filter(
        (rule): rule is Rule => rule !== undefined,
      ),
    );
  });

  describe('a no', () => {
    desk('is told with its note', async ({ request, answer, path }) => {
      const asked = request('write', { at: 1 }, write(path('a.txt')));
      await answer(0, 'deny', '  use sub/b.txt ');
      assert.deepEqual(await asked, {
        ...DECLINED,
        reason: 'The person declined this call. They say: “use sub/b.txt”. Do not try the same thing another way.',
      });
    });

    desk(
      'holds for the turn, in whatever order the fields come',
      async ({ request, answer, asks, permissions, path }) => {
        const target = write(path('a.txt'));
        const first = request('write', { file_path: 'a.txt', content: { x: 1, y: 2 } }, target);
        await answer(0, 'deny');
        assert.deepEqual(await first, DECLINED);
        assert.deepEqual(await request('write', { content: { y: 2, x: 1 }, file_path: 'a.txt' }, target), DECLINED);
        assert.equal(asks.length, 1);
        permissions.startTurn();
        const again = request('write', { file_path: 'a.txt', content: { x: 1, y: 2 } }, target);
        await answer(1, 'once');
        assert.deepEqual(await again, ONCE);
      },
    );

    desk('to a command holds whatever is said about it', async ({ request, answer, asks, root }) => {
      const first = request('bash', { command: 'rm x', description: 'Clean up' }, run('rm x', root));
      await answer(0, 'deny');
      assert.deepEqual(await first, DECLINED);
      const again = await request('bash', { command: 'rm x', description: 'Prepare', timeout: 5 }, run('rm x', root));
      assert.deepEqual(again, DECLINED);
      assert.equal(asks.length, 1);
    });

    desk('leaves another input open', async ({ request, answer, path }) => {
      const first = request('write', { content: '1' }, write(path('a.txt')));
      await answer(0, 'deny');
      const second = request('write', { content: '2' }, write(path('a.txt')));
      await answer(1, 'once');
      assert.deepEqual([await first, await second], [DECLINED, ONCE]);
    });

    desk('settles the same call where it waits too', async ({ request, answer, opened, queue, outside }) => {
      const target: Target = { op: 'read', path: outside };
      const both = [1, 2].map(() => request('ls', { path: '..' }, target));
      await opened(2);
      await answer(1, 'deny');
      assert.deepEqual(await Promise.all(both), [DECLINED, DECLINED]);
      assert.equal(queue.pending, 0);
    });
  });

  describe('without an answer', () => {
    const STOPPED: Decision = { allow: false, status: 'stopped', reason: 'Stopped before it was answered.' };

    desk('Stop settles all asks', async ({ request, opened, queue, stop, path, root }) => {
      const all = [
        request('write', { at: 1 }, write(path('a.txt'))),
        request('bash', { command: 'ls' }, run('ls', root)),
      ];
      await opened(2);
      stop.abort();
      assert.deepEqual(await Promise.all(all), [STOPPED, STOPPED]);
      assert.equal(queue.pending, 0);
    });

    desk('what was stopped may be asked again', async ({ request, opened, answer, stop, path }) => {
      const first = request('write', { at: 1 }, write(path('a.txt')));
      await opened(1);
      stop.abort();
      await first;
      const again = request('write', { at: 1 }, write(path('a.txt')), { signal: new AbortController().signal });
      await answer(1, 'once');
      assert.deepEqual(await again, ONCE);
    });

    desk('nobody is there: denied, with the reason', async ({ request, path }) => {
      const decision = await request('write', { at: 1 }, write(path('a.txt')), {
        ask: (ask, signal) => unattended.ask(ask, signal),
      });
      assert.deepEqual(decision, {
        allow: false,
        status: 'denied',
        reason: 'Nobody is here to answer: Lathe runs without a person.',
      });
    });
  });

  describe('what a command runs of the workspace', () => {
    const script = (root: string): Target => ({
      ...{ op: 'execute', command: 'node a.txt', cwd: root },
      line: line([simple('node a.txt')], { scripts: ['a.txt'] }),
    });

    desk('S21 is asked about again when it changed between the answer and the run', async (test) => {
      const { permissions, root, path, stop } = test;
      const tool = TOOLS.find(({ name }) => name === 'bash');
      assert.ok(tool);
      const request: PermissionRequest = {
        ...{ tool, input: { command: 'node a.txt' }, call: 'c1', agent: MAIN_AGENT, title: 'x', mode: 'ask' },
        ...{ targets: [script(root)], signal: stop.signal },
        ask: () => Promise.resolve({ kind: 'permission', decision: 'once' }),
      };
      const first = await permissions.decide(request);
      assert.deepEqual(await permissions.confirm(request, first), first);
      await writeFile(path('a.txt'), 'other');
      const reasons: (readonly string[])[] = [];
      const confirmed = await permissions.confirm(
        {
          ...request,
          ask: (ask) => {
            reasons.push(ask.reasons);
            return Promise.resolve({ kind: 'permission', decision: 'deny' });
          },
        },
        first,
      );
      assert.deepEqual(confirmed, DECLINED);
      assert.deepEqual(reasons, [['Runs a.txt, which has changed since it was allowed']]);
    });

    it('S14 a rule falls back to asking once the session itself has changed it', () =>
      inWorkspace({ 'a.txt': 'a' }, async ({ host, root }) => {
        const rule = parseRule('bash(node a.txt)', 'allow', 'user');
        assert.ok(rule);
        const decideWith = async (hasChanged: boolean) => {
          const rules = () => ({ rules: [rule], problems: [] });
          const permissions = new Permissions(host, { rules, changedHere: () => hasChanged });
          return judgeWith(permissions, 'bash', script(root));
        };
        assert.deepEqual(await decideWith(false), []);
        assert.deepEqual(await decideWith(true), [['Runs a.txt, which has changed since it was allowed']]);
      }));
  });

  it('a rule is kept for good only where the person chose that and somebody can keep it', () =>
    inWorkspace({}, async ({ host, root }) => {
      const kept: string[] = [];
      const keepRule = (rule: string) => Promise.resolve(kept.push(rule) > 0);
      const permissions = new Permissions(host, { keepRule });
      for (const decision of ['once', 'session', 'always'] as const) {
        await judgeWith(permissions, 'bash', run(`make ${decision}`, root), decision);
      }
      assert.deepEqual(kept, ['bash(make always)']);
    }));
});

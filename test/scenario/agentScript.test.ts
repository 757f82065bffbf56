// The command line as a program: one prompt, one JSON event per line, an exit code; from any folder, on any workspace.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/sourceTree';
import type { AgentEvent } from '../../src/common/events';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { startModelServer } from '../support/model-server/server';
import { inWorkspace } from '../support/workspace';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the script from the temporary folder, with its own files there too. */
function runScript(args: readonly string[], stateDir: string): Promise<Ended> {
  const { ANTHROPIC_API_KEY: _, INIT_CWD: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(root, 'test/support/agent.mjs'), ...args], {
    cwd: tmpdir(),
    env: { ...inherited, XDG_STATE_HOME: stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('npm run agent', function () {
  this.timeout(240_000);

  interface Expected {
    readonly code: number;
    readonly calls: readonly string[];
    /** Default: bypass. */
    readonly mode?: string;
    readonly rules?: readonly string[];
    /** Whether a person reads that nobody could be asked. */
    readonly isTold?: boolean;
  }

  function check(name: string, replies: readonly Reply[], expected: Expected): void {
    it(name, () =>
      inWorkspace({ 'a.txt': 'one\n' }, async ({ root: workspace, outside, tree }) => {
        const server = await startModelServer({ replies: [...replies] });
        try {
          const args = [
            '--workspace',
            workspace,
            '--prompt',
            'Go',
            '--base-url',
            server.url,
            '--mode',
            expected.mode ?? 'bypass',
            ...(expected.rules ?? []),
            '--json',
          ];
          const { code, out, err } = await runScript(args, join(outside, 'state'));
          assert.equal(code, expected.code, err);
          const events = out
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as AgentEvent);
          assert.deepEqual(
            events.flatMap((event) => (event.type === 'tool/finished' ? [event.status] : [])),
            expected.calls,
          );
          assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['turn/started', 'turn/finished']);
          assert.equal(err.includes('Nobody can be asked here'), expected.isTold ?? false, err);
          assert.deepEqual(await tree(), { 'a.txt': expected.calls.includes('done') ? 'two\n' : 'one\n' });
        } finally {
          await server.close();
        }
      }),
    );
  }

  check(
    'works on the workspace and ends well',
    [
      reply(toolUse('read', { file_path: 'a.txt' })),
      reply(toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' })),
      reply(text('Done')),
    ],
    { code: 0, calls: ['done', 'done'] },
  );
  check(
    'tells that nobody can be asked, and what to do about it',
    [reply(toolUse('write', { file_path: 'b.txt', content: 'b' })), reply(text('Not possible'))],
    { code: 0, calls: ['denied'], mode: 'ask', isTold: true },
  );
  check(
    'takes rules, and as many of them as are given',
    [
      reply(toolUse('read', { file_path: 'a.txt' })),
      reply(toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' })),
      reply(toolUse('write', { file_path: 'b.txt', content: 'b' })),
      reply(text('Done')),
    ],
    {
      ...{ code: 0, calls: ['done', 'done', 'denied'], mode: 'ask', isTold: false },
      rules: ['--allow', 'edit(*.md)', '--allow', 'edit(*.txt)', '--deny', 'edit(b.*)'],
    },
  );
  check('tells by its exit code that a turn did not end well', [reply(text('No'), { stopReason: 'refusal' })], {
    code: 1,
    calls: [],
  });

  it('says what is wrong with its arguments', async () => {
    const { code, out, err } = await runScript(
      ['--workspace', join(tmpdir(), 'not-there'), '--prompt', 'Go'],
      tmpdir(),
    );
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /There is no folder .*not-there/);
  });
});

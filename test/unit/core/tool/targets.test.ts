// What a call touches is what its tool declares, and nothing else: neither its name nor its input is looked at for that.
import assert from 'node:assert/strict';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { defineTool, type Tool } from '../../../../src/core/tool/tool';
import type { Target } from '../../../../src/core/permission/types';
import { probe } from './probe';
import { callOf, withTurn } from './turn';

/** A tool whose input names one path, and that touches others. */
function touching(targets: (root: string) => readonly Target[], more: Partial<Tool> = {}): Tool {
  return probe(() => Promise.resolve({ text: 'done' }), {
    schema: { type: 'object', properties: { file_path: { type: 'string' } } },
    prepare: (_input, { cwd }) => Promise.resolve({ targets: targets(cwd()), plan: undefined }),
    ...more,
  });
}

/** `expected`: what the person is asked for, undefined when the call simply runs. */
function check(name: string, tool: Tool, file_path: string, expected: RegExp | undefined): void {
  it(`G3: ${name}`, () =>
    withTurn([tool], { mode: 'acceptEdits' }, async (test) => {
      const running = runToolCall(callOf('probe', { file_path }), test.turn);
      const first = await Promise.race([test.seen('ask/opened'), test.seen('tool/finished')]);
      if (first.type === 'tool/finished') {
        assert.equal(expected, undefined);
        assert.equal((await running).status, 'done');
        return;
      }
      assert.ok(expected && first.ask.kind === 'permission');
      assert.match(JSON.stringify(first.ask), expected);
      test.asks.answer(first.ask.id, { kind: 'permission', decision: 'deny' });
      assert.equal((await running).status, 'denied');
    }));
}

describe('the targets of a call', () => {
  const writes = (path: string) => (root: string) => [{ op: 'write', path: `${root}/${path}` }] as const;
  check(
    'a declared target inside the workspace is judged, not the input',
    touching(writes('a.ts')),
    '/etc/passwd',
    undefined,
  );
  check(
    'a declared target that is protected is asked for',
    touching(writes('.vscode/settings.json')),
    'a.ts',
    /settings\.json/,
  );
  check(
    'every target counts',
    touching((root) => [...writes('a.ts')(root), { op: 'fetch', url: 'https://example.com/' }]),
    'a.ts',
    /example\.com/,
  );
});

describe('O01: a tool that claims nothing', () => {
  const { name, kind, description, schema, title, prepare, run } = probe(() => Promise.resolve({}));
  const { retry, interrupt, deferred, modes, readOnly, concurrent } = defineTool({
    ...{ name, kind, description, schema, title, prepare, run },
  });

  it('O01: is taken to change things, runs alone, is never tried again, and is not offered where only reads are', () => {
    assert.deepEqual(
      { readOnly: readOnly({}), concurrent: concurrent({}), retry, interrupt, deferred, plans: modes.includes('plan') },
      { readOnly: false, concurrent: false, retry: false, interrupt: 'await', deferred: false, plans: false },
    );
  });
});

// Outputs in memory: bounded per session and in the number of sessions, by settings that count at once, with the disk behind them.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { OutputMemory } from '../../../../src/core/output/memory';
import { Outputs } from '../../../../src/core/output/outputs';
import { createSettings, type SettingValues } from '../../../../src/node/settings';
import { createWorkspace } from '../../../support/workspace';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('B02 K15 the memory of outputs', () => {
  /** Puts `SESSION/CALL` with a size, `?SESSION/CALL` looks at one; what is left afterwards. */
  function check(name: string, settings: SettingValues, steps: readonly string[], expected: readonly string[]): void {
    it(name, () => {
      const memory = new OutputMemory(createSettings(settings));
      const entries = steps.map((step) => /^(\??)(\w+)\/(\w+):?(\d*)$/.exec(step)!.slice(1));
      for (const [look, session = '', call = '', size] of entries) {
        if (look) memory.get(session, call);
        else memory.set(session, call, bytes(Number(size)));
      }
      const names = [...new Set(entries.map(([, session, call]) => `${session}/${call}`))];
      const kept = names.filter((each) => memory.get(...(each.split('/') as [string, string])) !== undefined);
      assert.deepEqual(kept, expected);
    });
  }
  const tight = { 'output.memoryBytes': 10, 'output.sessions': 2 };
  check('drops the longest unused output beyond its bytes', tight, ['s/a:4', 's/b:4', 's/c:4'], ['s/b', 's/c']);
  check('a look counts as use', tight, ['s/a:4', 's/b:4', '?s/a', 's/c:4'], ['s/a', 's/c']);
  check('each session has bytes of its own', tight, ['s/a:9', 't/b:9'], ['s/a', 't/b']);
  check('drops the longest unused session', tight, ['s/a:1', 't/a:1', '?s/a', 'u/a:1'], ['s/a', 'u/a']);
  check('keeps one that is too big by itself', tight, ['s/a:4', 's/b:99'], ['s/b']);
  check(
    'keeps one session and one output in any case',
    { 'output.sessions': 0, 'output.memoryBytes': 0 },
    ['s/a:4'],
    ['s/a'],
  );

  it('a changed setting counts at the next write', () => {
    const values: { 'output.memoryBytes': number; 'output.sessions': number } = {
      'output.memoryBytes': 100,
      'output.sessions': 9,
    };
    const memory = new OutputMemory(createSettings(values));
    for (const call of ['a', 'b', 'c']) memory.set('s', call, bytes(30));
    memory.set('t', 'a', bytes(30));
    Object.assign(values, { 'output.memoryBytes': 40, 'output.sessions': 1 });
    assert.ok(memory.get('s', 'a'));
    memory.set('s', 'd', bytes(30));
    const kept = [
      ['s', 'a'],
      ['s', 'b'],
      ['s', 'c'],
      ['s', 'd'],
      ['t', 'a'],
    ] as [string, string][];
    assert.deepEqual(
      kept.filter((at) => memory.get(...at)),
      [['s', 'd']],
    );
  });

  it('is never over its bytes by more than the last output', () => {
    const write = fc.tuple(fc.constantFrom('s', 't', 'u'), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(40));
    fc.assert(
      fc.property(fc.array(write, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (writes, maxBytes) => {
        const memory = new OutputMemory(createSettings({ 'output.memoryBytes': maxBytes, 'output.sessions': 2 }));
        for (const [session, call, size] of writes) {
          memory.set(session, call, bytes(size));
          assert.equal(memory.get(session, call)?.length, size);
        }
        const held = ['s', 't', 'u'].map((session) =>
          ['a', 'b', 'c', 'd'].map((call) => memory.get(session, call)).filter(Boolean),
        );
        assert.ok(held.filter((each) => each.length > 0).length <= 2);
        for (const each of held) {
          const sum = each.reduce((total, one) => total + (one?.length ?? 0), 0);
          assert.ok(sum <= maxBytes || each.length === 1);
        }
      }),
    );
  });

  it('what has left the memory is read from the disk, and what is on neither is a miss', async () => {
    const workspace = await createWorkspace({}, { settings: { 'output.memoryBytes': 40, 'output.sessions': 1 } });
    const { host } = workspace;
    try {
      const memory = new OutputMemory(host.settings);
      const [first, second] = ['s1', 's2'].map((session) => new Outputs({ host, session, memory })) as [
        Outputs,
        Outputs,
      ];
      for (const outputs of [first, second]) {
        const out = outputs.open('c', { keepChars: 10 });
        out.write('whole');
        await outputs.close('c', out);
        await outputs.flush();
      }
      assert.deepEqual([memory.get('s1', 'c'), memory.get('s2', 'c')?.length], [undefined, 5]);
      const read = async () =>
        (await Promise.all([first, second].map((one) => one.read('c', 0)))).map(({ text }) => text);
      assert.deepEqual(await read(), ['whole', 'whole']);
      await rm(join(workspace.outside, 'store'), { recursive: true });
      assert.deepEqual(await read(), ['', 'whole']);
      assert.equal(await first.info('c'), undefined);
    } finally {
      await workspace.remove();
    }
  });
});

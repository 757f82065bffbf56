// The disk store: order, ranges, names, and what happens when the disk does not take it.
import assert from 'node:assert/strict';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { createIds } from '../../../src/node/ids';
import { createStore } from '../../../src/node/store';
import { createWorkspace, type Workspace } from '../../support/workspace';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('Store', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await createWorkspace();
  });
  afterEach(() => workspace.remove());
  const store = () => createStore(join(workspace.outside, 'store'));

  it('keeps the order of everything asked for one name', async () => {
    const at = store();
    const sizes = await Promise.all([
      at.append('a/x', '1'),
      at.append('a/x', Buffer.from('22')),
      at.size('a/x'),
      at.append('a/x', '333'),
      at.remove('a/x'),
      at.append('a/x', '4'),
      at.append('a/x', '5'),
      at.size('a/x'),
    ]);
    assert.deepEqual(sizes, [undefined, undefined, 3, undefined, undefined, undefined, undefined, 2]);
    assert.equal(text(await at.read('a/x', 0, 100)), '45');
  });

  it('reads ranges, and nothing where there is nothing', async () => {
    const at = store();
    await at.append('x', 'abcdef');
    const ranges = await Promise.all([at.read('x', 2, 3), at.read('x', 4, 99), at.read('x', 6, 1), at.read('y', 0, 1)]);
    assert.deepEqual(ranges.map(text), ['cde', 'ef', '', '']);
    assert.equal(await at.size('y'), undefined);
  });

  it('lists by prefix', async () => {
    const at = store();
    await Promise.all(['s/b.jsonl', 's/a.jsonl', 's/deep/c', 'o/x'].map((name) => at.append(name, '')));
    assert.deepEqual(await at.list('s/'), ['s/a.jsonl', 's/b.jsonl', 's/deep/c']);
    assert.deepEqual(await at.list('s/a'), ['s/a.jsonl']);
    assert.deepEqual(await at.list(''), ['o/x', 's/a.jsonl', 's/b.jsonl', 's/deep/c']);
    assert.deepEqual(await at.list('none/'), []);
  });

  it('makes the folder again that goes in the same moment with its last file', async () => {
    const at = store();
    for (let round = 0; round < 50; round++) {
      await at.append('s/a', 'a');
      await Promise.all([at.remove('s/a'), at.append('s/b', 'b')]);
      await at.remove('s/b');
    }
  });

  it('leaves no empty folder behind', async () => {
    const at = store();
    await at.append('s/a', '');
    await at.remove('s/a');
    await at.remove('s/never');
    assert.deepEqual(await readdir(join(workspace.outside, 'store')), []);
  });

  if (process.platform !== 'win32') {
    it('is readable by its owner only', async () => {
      await store().append('s/a', '');
      const modes = await Promise.all(
        ['s', 's/a'].map(async (name) => (await stat(join(workspace.outside, 'store', name))).mode),
      );
      assert.deepEqual(
        modes.map((mode) => mode & 0o777),
        [0o700, 0o600],
      );
    });
  }

  for (const name of [
    '',
    '../x',
    'a/../b',
    '/a',
    'a//b',
    'a\\b',
    'a\0',
    '.',
    '.hidden',
    'a/',
    'x'.repeat(300),
    'dot.',
  ]) {
    it(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
      await assert.rejects(store().append(name, 'x'), /Not a name/);
    });
  }

  it('says readably when it cannot write', async () => {
    await mkdir(join(workspace.outside, 'store', 'a'), { recursive: true });
    await assert.rejects(store().append('a', 'x'), /Lathe's own storage cannot be written.*Make room or check/);
  });

  it('holds what was appended, whatever the pieces', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(20), async (pieces, offset) => {
        const at = store();
        const name = `p/${Math.random().toString(36).slice(2)}`;
        await Promise.all(pieces.map((piece) => at.append(name, piece)));
        const whole = Buffer.from(pieces.join(''));
        assert.deepEqual(Buffer.from(await at.read(name, offset, 7)), whole.subarray(offset, offset + 7));
      }),
      { numRuns: 30 },
    ));
});

describe('Ids', () => {
  it('sort by time, differ within a millisecond, and never go back', () => {
    const times = [1000, 1000, 2000, 1500];
    const ids = createIds({ now: () => times.shift() ?? 0 }, () => 'r');
    assert.deepEqual(
      [ids.next('s'), ids.next('s'), ids.next('t'), ids.next('s')],
      ['s_0000000rs000r', 's_0000000rs001r', 't_0000001jk000r', 's_0000001jk001r'],
    );
  });
});

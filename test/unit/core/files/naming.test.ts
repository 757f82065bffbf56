// Names in results: they lead back to the file, and a wrong name is answered with the likely ones.
import assert from 'node:assert/strict';
import { missingFile, pathForDisplay, pathFromCwd, placeFromCwd } from '../../../../src/core/files/naming';
import { resolvePath } from '../../../../src/core/files/paths';
import { inWorkspace } from '../../../support/workspace';

const TREE = { 'src/cart.ts': '', 'src/cart.test.ts': '', 'src/Index.ts': '', 'lib/util.js': '', 'a[1].txt': '' };

describe('O26 missingFile', () => {
  const cases: readonly { written: string; advice: string }[] = [
    { written: 'src/cart.js', advice: 'Did you mean src/cart.ts?' },
    { written: 'src/crat.ts', advice: 'Did you mean src/cart.ts?' },
    { written: 'src/index.ts', advice: 'Did you mean src/Index.ts?' },
    { written: 'util.js', advice: 'Did you mean lib/util.js?' },
    { written: 'deep/a[1].txt', advice: 'Did you mean a[1].txt?' },
    { written: 'app/cart.js', advice: 'Did you mean src/cart.ts?' },
    { written: 'scr/cart.ts', advice: 'Did you mean src/cart.ts?' },
    { written: 'nothing-like-it.py', advice: 'Look for it with glob or ls.' },
    { written: '../workspace2/cart.ts', advice: 'Look for it with glob or ls.' },
  ];
  for (const { written, advice } of cases) {
    it(written, () =>
      inWorkspace(TREE, async ({ host, root }) => {
        const ctx = { host, cwd: () => root, signal: new AbortController().signal };
        const resolved = await resolvePath(written, ctx);
        assert.ok('path' in resolved);
        assert.deepEqual(await missingFile(resolved, ctx), {
          objection: `${resolved.shown} does not exist. ${advice}`,
        });
      }),
    );
  }
});

describe('names', () => {
  it('are relative below the current folder, absolute elsewhere', () =>
    inWorkspace(TREE, async ({ host, root, path }) => {
      const ctx = { host, cwd: () => path('src') };
      assert.equal(pathFromCwd(path('src/cart.ts'), ctx), 'cart.ts');
      assert.equal(pathFromCwd(path('lib/util.js'), ctx), path('lib/util.js'));
      assert.equal(pathFromCwd(`${path('src')}2/x`, ctx), `${path('src')}2/x`);
      assert.equal(placeFromCwd(path('src'), ctx), 'the current folder');
      assert.equal(placeFromCwd(root, ctx), root);
    }));

  it('are for the panel what it can open', () =>
    inWorkspace(TREE, async ({ host, root, outside }) => {
      const ctx = { host, cwd: () => root };
      const [inside, beyond] = await Promise.all([resolvePath('src/cart.ts', ctx), resolvePath(`${outside}/x`, ctx)]);
      assert.ok('path' in inside && 'path' in beyond);
      assert.deepEqual([pathForDisplay(inside), pathForDisplay(beyond)], ['src/cart.ts', `${outside}/x`]);
    }));
});

// Globs: what ignore files mean by them, the same as an established matcher, and never long to answer.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { compileGlob } from '../../../../src/core/files/glob';

const CASES: readonly { glob: string; fits: readonly string[]; misses: readonly string[] }[] = [
  { glob: '*.ts', fits: ['a.ts', 'x/y/a.ts', '.ts'], misses: ['a.tsx', 'a.ts/b'] },
  { glob: '/*.ts', fits: ['a.ts'], misses: ['x/a.ts'] },
  { glob: './src/*.ts', fits: ['src/a.ts'], misses: ['src/x/a.ts', 'x/src/a.ts'] },
  { glob: '././**/a', fits: ['a', 'x/a'], misses: ['b'] },
  { glob: 'src/**/*.ts', fits: ['src/a.ts', 'src/x/y/a.ts'], misses: ['a.ts', 'lib/src/a.ts'] },
  { glob: '**/test/**', fits: ['test/a', 'x/test/y/a'], misses: ['test', 'testing/a'] },
  { glob: 'src/', fits: ['src/a', 'src/x/a'], misses: ['src', 'x/src/a'] },
  { glob: '*.{ts,tsx}', fits: ['a.ts', 'b.tsx'], misses: ['a.js', 'a.{ts,tsx}'] },
  { glob: '{src,lib}/{a,b{1,2}}.js', fits: ['src/a.js', 'lib/b2.js'], misses: ['src/b.js', 'x/a.js'] },
  { glob: 'a{b}c', fits: ['a{b}c'], misses: ['abc'] },
  { glob: '[a-c]?[!0-9]', fits: ['axy', 'c1_'], misses: ['dxy', 'ax1', 'ax'] },
  { glob: '[', fits: ['['], misses: ['a'] },
  { glob: '[]]', fits: [']'], misses: ['['] },
  { glob: 'a\\*b', fits: ['a*b'], misses: ['axb'] },
  { glob: 'a\\{b,c\\}', fits: ['a{b,c}'], misses: ['ab', 'ac'] },
  { glob: '+(a|b)', fits: ['+(a|b)'], misses: ['a', 'ab'] },
  { glob: '?', fits: ['x', '😀'], misses: ['xy', ''] },
  { glob: '**', fits: ['a', 'a/b'], misses: [] },
  { glob: '*', fits: ['a', 'x/a', '.hidden'], misses: [] },
  { glob: 'a/**/b', fits: ['a/b', 'a/x/y/b'], misses: ['a/bb', 'ab'] },
];

describe('compileGlob', () => {
  for (const { glob, fits, misses } of CASES) {
    it(glob, () => {
      const isFit = compileGlob(glob);
      assert.deepEqual([fits.filter(isFit), misses.filter(isFit)], [fits, []]);
    });
  }

  it('agrees with picomatch', () => {
    const part = fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', '{a,b}', 'ab');
    const name = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.constant('**'),
    );
    const globs = fc.array(name, { minLength: 2, maxLength: 4 }).map((names) => names.join('/'));
    // To picomatch a star at the end is at least one character after a dot; to a shell it may be none.
    const names = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !text.endsWith('.'));
    const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
    // A star is one star, however often it is written, and what ends in ** is what lies inside.
    const isPlain = (glob: string) => !/\*\*[^/]|[^/]\*\*|\/\*\*$/.test(glob);
    fc.assert(
      fc.property(globs.filter(isPlain), paths, (glob, path) => {
        const expected = picomatch(glob, { dot: true, noextglob: true })(path);
        assert.equal(compileGlob(glob)(path), expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('answers patterns that make regular expressions run for ever', () => {
    const name = 'a'.repeat(200);
    assert.equal(compileGlob(`${'*a'.repeat(40)}*b`)(name), false);
    assert.equal(compileGlob(`${'**/'.repeat(40)}b`)(`${'a/'.repeat(100)}a`), false);
    assert.equal(compileGlob('{a,b}'.repeat(30))(name), false);
  });
});

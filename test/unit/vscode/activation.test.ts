// What is loaded when the editor activates the extension: asserted on the bundle's contents, as the build has listed them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/sourceTree';

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

const MAX_BYTES = 150 * 1024;
const META = join(root, 'out/meta.json');

/** An output and all it imports statically; what it imports dynamically is loaded later. */
function loadedWith(outputs: Readonly<Record<string, Output>>, entry: string): string[] {
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) visit(next);
    }
  };
  visit(entry);
  return [...loaded];
}

describe('activation', () => {
  let files: Output[];

  before(() => {
    assert.ok(existsSync(META), 'build first: node esbuild.mjs');
    const { outputs } = JSON.parse(readFileSync(META, 'utf8')) as { outputs: Record<string, Output> };
    files = loadedWith(outputs, 'dist/extension.js').map((path) => outputs[path]!);
  });

  it(`loads less than ${MAX_BYTES / 1024} KB`, () => {
    assert.ok(files.reduce((sum, { bytes }) => sum + bytes, 0) < MAX_BYTES);
  });

  it('loads no package and no tool', () => {
    const heavy = files
      .flatMap(({ inputs }) => Object.keys(inputs))
      .filter((input) => /^(node_modules|src\/(tools|core\/(agent|mcp|provider|session)))\//.test(input));
    assert.deepEqual(heavy, []);
  });
});

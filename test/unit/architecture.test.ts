// The shape of the code as a test: who may import whom, and the rules that keep a tool in one file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import ts from 'typescript';
import { SETTINGS } from '../../src/common/settings';
import {
  codeFiles,
  importsOf,
  isTypeScript,
  parseSource,
  placeOf,
  programOf,
  readSource,
  root,
  walk,
} from '../support/sourceTree';

const MAX_LINES = 400;

interface Floor {
  readonly folder: string;
  /** Folders whose files it may import. */
  readonly floors: readonly string[];
  readonly node: 'all' | readonly string[];
  readonly packages: 'none' | 'any';
}

const FLOORS: readonly Floor[] = [
  { folder: 'src/common', floors: [], node: [], packages: 'none' },
  { folder: 'src/core', floors: ['src/common'], node: ['node:path', 'node:crypto'], packages: 'any' },
  { folder: 'src/tools', floors: ['src/common', 'src/core'], node: [], packages: 'any' },
  { folder: 'src/node', floors: ['src/common', 'src/core'], node: 'all', packages: 'any' },
  { folder: 'src/vscode', floors: ['src/common', 'src/core', 'src/node'], node: 'all', packages: 'any' },
  { folder: 'webview', floors: ['src/common'], node: [], packages: 'any' },
];

/** Packages that only some places may import; every other dependency is plain computation and open to every floor that takes packages. */
const HOMES: Record<string, readonly string[]> = {
  vscode: ['src/vscode/', 'src/extension.ts'],
  '@anthropic-ai/sdk': ['src/core/provider/'],
  '@modelcontextprotocol/sdk': ['src/core/mcp/'],
  '@vscode/ripgrep': ['src/node/'],
  '@vscode/webview-ui-toolkit': ['webview/ui/'],
  '@vscode/codicons': ['webview/'],
  '@preact/signals': ['webview/'],
  'markdown-it': ['webview/'],
  preact: ['webview/'],
};

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly contributes: {
    readonly commands?: readonly { readonly command: string }[];
    readonly configuration?: Configuration | readonly Configuration[];
  };
}

interface Configuration {
  readonly properties: Record<string, { readonly default?: unknown; readonly scope?: string }>;
}

const manifest = JSON.parse(readSource('package.json')) as Manifest;
const code = ['src', 'webview', 'test'].flatMap(codeFiles);
const product = ['src', 'webview'].flatMap(codeFiles).filter(isTypeScript);

/** A rule holds when it finds nothing to say. */
function check(rule: string, violations: () => readonly string[]): void {
  it(rule, () => assert.deepEqual(violations(), []));
}

describe('floors', () => {
  for (const floor of FLOORS) {
    check(`${floor.folder} imports only what its floor may`, () => {
      const files = codeFiles(floor.folder).filter(isTypeScript);
      if (files.length === 0) return [`${floor.folder} has no files`];
      return files.flatMap((file) =>
        importsOf(file)
          .filter((target) => !mayImport(floor, file, target))
          .map((target) => `${file} imports ${target}`),
      );
    });
  }

  check('the files directly in src import only src', () =>
    codeFiles('src')
      .filter((file) => /^src\/[^/]+\.ts$/.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => /^(webview|test)\//.test(target) || !isAtHome(file, target))
          .map((target) => `${file} imports ${target}`),
      ),
  );

  check('a tool imports no other tool', () =>
    codeFiles('src/tools')
      .filter((file) => file !== 'src/tools/index.ts')
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => toolFiles().includes(`${target}.ts`) || target === 'src/tools/index')
          .map((target) => `${file} imports ${target}`),
      ),
  );
});

function mayImport(floor: Floor, file: string, target: string): boolean {
  if (/^(src|webview|test)\//.test(target)) {
    return [floor.folder, ...floor.floors].some((folder) => target.startsWith(`${folder}/`));
  }
  if (target.startsWith('node:')) return floor.node === 'all' || floor.node.includes(target);
  if (floor.packages === 'none' || !isAtHome(file, target)) return false;
  const name = packageOf(target);
  // json-schema-to-ts is types only, so nothing of it is shipped.
  return name in HOMES || name in manifest.dependencies || name === 'json-schema-to-ts';
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function isAtHome(file: string, target: string): boolean {
  const homes = HOMES[packageOf(target)];
  return !homes || homes.some((home) => file.startsWith(home));
}

describe('files', () => {
  check(`no file is over ${MAX_LINES} lines`, () =>
    code
      .map((file) => ({ file, lines: readSource(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ file, lines }) => `${file} has ${lines} lines`),
  );

  check('the first line of a file says what it is for', () =>
    code.filter((file) => !/^(#!.*\n)?(\/\/|\/\*) ?\S/.test(readSource(file))),
  );
});

/** The tools, as src/tools/index.ts lists them: one file each. */
function toolFiles(): string[] {
  return importsOf('src/tools/index.ts')
    .filter((target) => target.startsWith('src/tools/'))
    .map((target) => `${target}.ts`);
}

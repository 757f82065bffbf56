// The shape of the code as a test: who may import whom, and the rules that keep a tool in one file.
import assert from 'node:assert/strict';
import { SETTINGS } from '../../src/common/settings';
import type { Tool } from '../../src/core/tool/tool';
import * as toolIndex from '../../src/tools/index';
import {
  bareProperties,
  comparisonsWith,
  difference,
  keysOfTable,
  type Schema,
  unreadMembers,
} from '../support/sourceRules';
import { codeFiles, importsOf, isTypeScript, parseSource, programOf, readSource } from '../support/sourceTree';

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

/** The demo stands in for a model, which calls tools by name; in the shell's file `bash` is the program. */
const MAY_NAME_TOOLS = ['src/core/provider/demo.ts', 'src/node/shell.ts'];

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

  check('every test that runs in the editor is in a suite', () => {
    const inEditor = code.filter((file) => file.startsWith('test/host/'));
    const suites = inEditor.filter((file) => file.endsWith('/index.ts')).flatMap(importsOf);
    const tests = inEditor.filter((file) => file.endsWith('.test.ts'));
    if (tests.length === 0) return ['test/host has no tests'];
    return tests.filter((file) => !suites.includes(file.replace(/\.ts$/, '')));
  });
});

const tools: readonly Tool[] = Object.values(toolIndex)
  .flat()
  .filter((value) => typeof value === 'object' && 'schema' in value);

/** The tools' files, as src/tools/index.ts imports them. */
function toolFiles(): string[] {
  return importsOf('src/tools/index.ts')
    .filter((target) => target.startsWith('src/tools/'))
    .map((target) => `${target}.ts`);
}

describe('O05 tools', () => {
  check('there is one file per tool', () =>
    tools.length === 0
      ? ['src/tools/index.ts lists no tool']
      : difference('the list of tools', tools.map(fileOf), 'the imports of src/tools/index.ts', toolFiles()),
  );

  check('G3: no code outside a tool goes by its name', () => {
    const names = new Set(tools.flatMap(({ name, aliases }) => [name, ...aliases]));
    return product
      .filter((file) => !file.startsWith('src/tools/') && !MAY_NAME_TOOLS.includes(file))
      .flatMap((file) => comparisonsWith(names, parseSource(file)));
  });

  check('G7: there is one path that a call takes: tools are prepared in one place and run in one', () =>
    difference(
      'the product',
      product.filter((file) => /\btool\.(prepare|run)\(/i.test(readSource(file))),
      'the path of a call',
      ['src/core/tool/orchestrator.ts', 'src/core/tool/run.ts'],
    ),
  );

  check('O02: every property in a schema has a type and a description', () =>
    tools.flatMap(({ name, schema }) => bareProperties(name, schema as Schema)),
  );

  check('G2 G3: every field of Tool is read by the core', () => {
    const program = programOf('src/core');
    const unread = unreadMembers(program, 'src/core/tool/tool.ts', 'Tool');
    return unread.map((field) => `nothing in src/core reads Tool.${field}`);
  });

  check('every tool has a unit test', () =>
    toolFiles()
      .map((file) => file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts'))
      .filter((file) => !code.includes(file)),
  );
});

const fileOf = ({ name }: Tool): string => `src/tools/${name}.ts`;

describe('manifest', () => {
  check('commands in package.json are the keys of the commands tables', () =>
    difference(
      'package.json',
      (manifest.contributes.commands ?? []).map(({ command }) => command),
      'src/vscode',
      [
        ...keysOfTable('src/vscode/commands.ts', 'commands'),
        ...keysOfTable('src/vscode/review/commands.ts', 'reviewCommands'),
      ],
    ),
  );

  it('settings in package.json are those of the settings table, with its defaults and scopes', () => {
    const declared = [manifest.contributes.configuration ?? []]
      .flat()
      .flatMap(({ properties }) => Object.entries(properties))
      .map(([name, setting]) => [name, { default: setting.default, scope: setting.scope }]);
    const known = Object.entries(SETTINGS).map(([name, setting]) => [`lathe.${name}`, { ...setting }]);
    assert.deepEqual(Object.fromEntries(declared), Object.fromEntries(known));
  });
});

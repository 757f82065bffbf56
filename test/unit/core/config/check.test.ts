// Config protection: what a change of a configuration would break is found, at its line; what was broken before is not held against it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { refuseBroken } from '../../../../src/core/config/guard';
import { SETTINGS } from '../../../../src/common/settings';

const HOST = { platform: { os: 'linux', homeDir: '/home/x', foldsCase: false, timeZone: 'UTC' } };

async function refusal(path: string, before: string | undefined, after: string): Promise<string | undefined> {
  return refuseBroken({ path: `/w/${path}`, real: `/w/${path}`, shown: path, places: [] }, { before, after }, HOST);
}

/** `expected`: the faults as lines without their frame; none when it may stand. */
function check(what: string, path: string, before: string | undefined, after: string, ...expected: string[]): void {
  it(`O24: ${path}: ${what}`, async () => {
    const said = await refusal(path, before, after);
    const lines = said?.split('\n') ?? [];
    if (lines.length > 0) {
      assert.deepEqual(
        [lines[0], lines.at(-1)],
        [
          `${path} would be broken by this, so nothing was changed. In the text as it would be:`,
          'Send it again with that put right.',
        ],
      );
    }
    assert.deepEqual(
      lines.slice(1, -1).map((line) => line.slice('- '.length)),
      expected,
    );
  });
}

const PACKAGE = '{\n  "name": "a",\n  "scripts": {\n    "test": "mocha"\n  }\n}\n';

describe('config protection', () => {
  check('a good one may stand', 'package.json', undefined, PACKAGE);
  check(
    'a comma too many',
    'package.json',
    PACKAGE,
    PACKAGE.replace('"mocha"', '"mocha",'),
    'line 5: the name of a field in double quotes is expected here (a comma too many?)',
    'line 5: a value is expected here (a comma too many?)',
  );
  check(
    'a comma missing',
    'package.json',
    PACKAGE,
    PACKAGE.replace('"a",', '"a"'),
    'line 3: a comma is missing before this',
  );
  check('a comment', 'package.json', PACKAGE, `// mine\n${PACKAGE}`, 'line 1: comments are not allowed in this file');
  check(
    'a field twice',
    'package.json',
    PACKAGE,
    PACKAGE.replace('{\n', '{\n  "scripts": {},\n'),
    'line 4: "scripts" stands twice in one object',
  );
  check(
    'a script that is no string',
    'pkg/package.json',
    PACKAGE,
    PACKAGE.replace('"mocha"', '["mocha"]'),
    'line 4: "scripts.test" must be a command as one string, not the list ["mocha"]',
  );
  check(
    'a version',
    'package.json',
    PACKAGE,
    PACKAGE.replace('"name": "a"', '"version": "1.2"'),
    'line 2: "version" must be a version of three numbers, such as "1.2.3" or "1.2.3-beta.1", not the string "1.2"',
  );
  check(
    'dependencies as a list',
    'package.json',
    PACKAGE,
    '{"dependencies": ["left-pad"]}',
    'line 1: "dependencies" must be an object, not the list ["left-pad"]',
  );
  check('nothing', 'package.json', PACKAGE, '', 'line 1: a value is expected here (a comma too many?)');
  check(
    'no object',
    'package.json',
    PACKAGE,
    '[]',
    'line 1: the whole must be an object, but the list [] stands there',
  );
  check('one that was broken may be mended', 'package.json', '{"name": "a",,}', '{"name": 1}');
  check('one that was broken may stay so', 'package.json', '{"name": "a",,}', '{"name": "b",,}');
  check(
    'but not become worse',
    'package.json',
    '{"name": "a" "b": 1}',
    '{"name": "a" "b": 1 "c"}',
    'line 1: a comma is missing before this',
    'line 1: a colon is expected here',
  );
  check(
    'of two faults only the new one counts',
    'package.json',
    '{\n"type": "esm"\n}',
    '{\n"type": "esm",\n"private": "yes"\n}',
    'line 3: "private" must be true or false, not the string "yes"',
  );
  check(
    'other fields may hold anything',
    'package.json',
    undefined,
    '{"prettier": [1], "x": null, "exports": {".": null}}',
  );
  check('what an installed package says', 'node_modules/a/package.json', undefined, '{');

  check('comments and commas', 'tsconfig.json', undefined, '// c\n{ "compilerOptions": { "strict": true, }, /* d */ }');
  check('nothing at all', 'tsconfig.json', undefined, '');
  check(
    'any case',
    'tsconfig.base.json',
    undefined,
    '{"compilerOptions": {"module": "NodeNext", "target": "ES2030", "lib": ["ES2022", "DOM.Iterable"]}}',
  );
  check(
    'null takes back',
    'tsconfig.json',
    undefined,
    '{"compilerOptions": {"outDir": null, "strict": null, "target": null}}',
  );
  check(
    'a target that is none',
    'src/tsconfig.json',
    undefined,
    '{\n  "compilerOptions": {\n    "target": "es20x22",\n    "paths": {"@/*": "src/*"}\n  }\n}',
    'line 3: "compilerOptions.target" must be a version of JavaScript, such as "es2022" or "esnext", not the string "es20x22"',
    'line 4: "compilerOptions.paths.@/*" must be a list of places, such as ["src/*"], not the string "src/*"',
  );
  check(
    'a flag as a string',
    'jsconfig.json',
    undefined,
    '{"compilerOptions": {"checkJs": "true"}}',
    'line 1: "compilerOptions.checkJs" must be true or false, not the string "true"',
  );
  check(
    'a reference without a path',
    'tsconfig.json',
    undefined,
    '{"references": [{"path": "a"},\n{}]}',
    'line 2: "references[1].path" is missing',
  );

  check('the editor’s own settings are free', '.vscode/settings.json', undefined, '{"editor.tabSize": "x", // y\n}');
  check(
    'settings of Lathe’s have their type',
    '.vscode/settings.json',
    undefined,
    '{\n"lathe.model": 5,\n"lathe.shell.timeoutMs": "60"\n}',
    'line 2: "lathe.model" must be a string, not 5',
    'line 3: "lathe.shell.timeoutMs" must be a number, not the string "60"',
  );
  check(
    'a launch without its request',
    '.vscode/launch.json',
    undefined,
    '{"configurations": [{"type": "node", "name": "a"}]}',
    'line 1: "configurations[0].request" is missing',
  );
  check(
    'tasks as an object',
    '.vscode/tasks.json',
    undefined,
    '{"tasks": {}}',
    'line 1: "tasks" must be a list of objects, not the object {}',
  );
  check(
    'an extension by its name only',
    '.vscode/extensions.json',
    undefined,
    '{"recommendations": ["prettier"]}',
    'line 1: "recommendations[0]" must be the id of an extension, such as "publisher.name", not the string "prettier"',
  );
  check(
    'a server whose arguments are one string',
    '.vscode/mcp.json',
    undefined,
    '{"servers": {"a": {"command": "x", "args": "-y"}}}',
    'line 1: "servers.a.args" must be a list of strings, not the string "-y"',
  );
  check(
    'the same in the common file',
    '.mcp.json',
    undefined,
    '{"mcpServers": {"a": {"command": ["x"]}}}',
    'line 1: "mcpServers.a.command" must be a string, not the list ["x"]',
  );
  check(
    'a workspace with a folder that is nowhere',
    'my.code-workspace',
    undefined,
    '{"folders": [{"name": "a"}], "settings": {"lathe.model": 1}}',
    'line 1: "folders[0]" must be an object with "path" or "uri", not the object {"name":"a"}',
    'line 1: "settings.lathe.model" must be a string, not 1',
  );
  check('files of Lathe’s own', '.lathe/rules/a.json', undefined, '{"a": 1', 'line 1: a } is missing');
  for (const path of [
    'data.json',
    'src/package.json5',
    'mypackage.json',
    'settings.json',
    '.vscode/other.json',
    'a.yaml',
  ]) {
    check('is not looked at', path, undefined, '{{{');
  }

  it('O24: names as Windows writes them are found, in any case', async () => {
    const path = 'C:\\w\\.VSCode\\Settings.json';
    const resolved = { path, real: path, shown: path, places: [] };
    const host = { platform: { ...HOST.platform, os: 'win32', foldsCase: true } };
    assert.match((await refuseBroken(resolved, { before: undefined, after: '{' }, host)) ?? '', /a \} is missing/);
  });

  it('O24: a link to a configuration is one', async () => {
    const resolved = { path: '/w/link', real: '/w/package.json', shown: 'link', places: [] };
    assert.match((await refuseBroken(resolved, { before: undefined, after: '{' }, HOST)) ?? '', /a \} is missing/);
  });

  it('O24: the defaults of all settings fit', async () => {
    const all = Object.entries(SETTINGS).map(([name, { default: value }]) => [`lathe.${name}`, value]);
    assert.equal(await refusal('.vscode/settings.json', undefined, JSON.stringify(Object.fromEntries(all))), undefined);
  });

  it('O24: what is nested deeper than any configuration is let through', async () => {
    assert.equal(await refusal('package.json', undefined, '{"a":'.repeat(200_000)), undefined);
  });

  it('O24: never throws, agrees with JSON.parse about the syntax, and never minds what does not change', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('package.json', 'tsconfig.json', '.vscode/tasks.json', 'a.code-workspace'),
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((json) => json.slice(1)),
          fc.json().map((json) => `${json},`),
        ),
        async (path, text) => {
          assert.equal(await refusal(path, text, text), undefined);
          const said = await refusal(path, undefined, text);
          if (path === 'package.json' && !parses(text)) assert.notEqual(said, undefined);
        },
      ),
    ));
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

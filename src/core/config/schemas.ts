// The shapes of configuration files, as far as a wrong value breaks what reads them. Written from the public documentation of
// npm, TypeScript and VS Code; fields that are not named here may hold anything.
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { SETTINGS } from '../../common/settings';
import type { ConfigName } from './kinds';

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const object: JsonObject = { type: 'object' };
const texts: JsonObject = { type: 'array', items: text };
const textMap: JsonObject = { type: 'object', additionalProperties: text };

function shape(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function anyOf(...branches: readonly JsonObject[]): JsonObject {
  return { anyOf: branches };
}

/** `description` completes "must be …". */
function textLike(pattern: string, description: string): JsonObject {
  return { type: 'string', pattern, description };
}

const versions: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'string', description: 'a string such as "^1.2.3"' },
};

const PACKAGE = shape({
  name: textLike(
    '^(@[^\\s/@]+/)?[^\\s/@._][^\\s/@]*$',
    'a package name without blanks, such as "my-app" or "@scope/my-app"',
  ),
  version: textLike(
    '^[v=]?\\d+\\.\\d+\\.\\d+([-+].*)?$',
    'a version of three numbers, such as "1.2.3" or "1.2.3-beta.1"',
  ),
  description: text,
  type: { enum: ['module', 'commonjs'] },
  main: text,
  private: flag,
  scripts: { type: 'object', additionalProperties: { type: 'string', description: 'a command as one string' } },
  dependencies: versions,
  devDependencies: versions,
  peerDependencies: versions,
  optionalDependencies: versions,
  bin: anyOf(text, textMap),
  files: texts,
  workspaces: anyOf(texts, object),
  engines: anyOf(textMap, texts),
  packageManager: textLike('^[a-z]+@\\d', 'a name with a version, such as "pnpm@9.1.0"'),
  overrides: object,
  resolutions: textMap,
  contributes: object,
  activationEvents: texts,
});

/** Options with fixed words, in lower case; what may follow in later versions is left open where it follows a pattern. */
const COMPILER_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  target: ['^es(3|5|6|20\\d\\d|next)$', 'a version of JavaScript, such as "es2022" or "esnext"'],
  module: [
    '^(none|amd|commonjs|umd|system|es6|es20\\d\\d|esnext|node\\d+|nodenext|preserve)$',
    'a kind of modules, such as "esnext", "nodenext" or "commonjs"',
  ],
  moduleresolution: [
    '^(classic|node|node\\d+|nodenext|bundler)$',
    '"bundler", "nodenext", "node16", "node10" or "classic"',
  ],
  jsx: [
    '^(preserve|react|react-native|react-jsx|react-jsxdev)$',
    '"react-jsx", "react-jsxdev", "react", "react-native" or "preserve"',
  ],
  newline: ['^(crlf|lf)$', '"lf" or "crlf"'],
  moduledetection: ['^(auto|legacy|force)$', '"auto", "legacy" or "force"'],
};

const COMPILER_FLAGS = [
  ...[
    'strict',
    'allowJs',
    'checkJs',
    'composite',
    'declaration',
    'declarationMap',
    'emitDeclarationOnly',
    'esModuleInterop',
  ],
  ...['allowSyntheticDefaultImports', 'exactOptionalPropertyTypes', 'experimentalDecorators', 'emitDecoratorMetadata'],
  ...[
    'forceConsistentCasingInFileNames',
    'importHelpers',
    'incremental',
    'inlineSourceMap',
    'inlineSources',
    'isolatedModules',
  ],
  ...[
    'isolatedDeclarations',
    'noEmit',
    'noEmitOnError',
    'noFallthroughCasesInSwitch',
    'noImplicitAny',
    'noImplicitOverride',
  ],
  ...[
    'noImplicitReturns',
    'noImplicitThis',
    'noPropertyAccessFromIndexSignature',
    'noUncheckedIndexedAccess',
    'noUnusedLocals',
  ],
  ...['noUnusedParameters', 'preserveSymlinks', 'removeComments', 'resolveJsonModule', 'skipLibCheck', 'sourceMap'],
  ...[
    'strictBindCallApply',
    'strictFunctionTypes',
    'strictNullChecks',
    'strictPropertyInitialization',
    'stripInternal',
  ],
  ...['useDefineForClassFields', 'useUnknownInCatchVariables', 'verbatimModuleSyntax', 'allowImportingTsExtensions'],
];

const COMPILER_PLACES = [
  ...['outDir', 'rootDir', 'baseUrl', 'outFile', 'declarationDir', 'tsBuildInfoFile', 'jsxImportSource', 'mapRoot'],
];

const TSCONFIG = shape({
  extends: anyOf(text, texts),
  files: texts,
  include: texts,
  exclude: texts,
  references: listOf(shape({ path: text }, ['path'])),
  compileOnSave: flag,
  compilerOptions: shape(
    orNull({
      ...Object.fromEntries(Object.entries(COMPILER_WORDS).map(([name, words]) => [spelled(name), textLike(...words)])),
      ...Object.fromEntries(COMPILER_FLAGS.map((name) => [name, { ...flag, description: 'true or false' }])),
      ...Object.fromEntries(COMPILER_PLACES.map((name) => [name, text])),
      lib: listOf(textLike('^[a-z0-9.]+$', 'the name of a library, such as "es2022" or "dom"')),
      types: texts,
      typeRoots: texts,
      rootDirs: texts,
      paths: { type: 'object', additionalProperties: { ...texts, description: 'a list of places, such as ["src/*"]' } },
      plugins: listOf(object),
    }),
  ),
});

/** `null` takes back what an extended file sets. */
function orNull(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties) as [string, JsonObject][];
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, { ...schema, type: [schema.type ?? [], 'null'].flat() }]),
  );
}

function spelled(lower: string): string {
  return (
    { moduleresolution: 'moduleResolution', newline: 'newLine', moduledetection: 'moduleDetection' }[lower] ?? lower
  );
}

const TYPE_OF: Readonly<Record<string, JsonObject>> = { string: text, number: { type: 'number' }, boolean: flag };

/** Of the editor's settings only Lathe's own are known, by the type of their defaults. */
const EDITOR_SETTINGS = shape(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { default: value }]) => [
      `lathe.${name}`,
      Array.isArray(value) ? texts : (TYPE_OF[typeof value] ?? object),
    ]),
  ),
);

const INPUTS = listOf(shape({ id: text, type: text }, ['id', 'type']));

const LAUNCH = shape({
  version: text,
  configurations: listOf(
    shape(
      {
        ...{ type: text, name: text, request: { enum: ['launch', 'attach'] } },
        ...{ preLaunchTask: anyOf(text, object), postDebugTask: anyOf(text, object) },
      },
      ['type', 'name', 'request'],
    ),
  ),
  compounds: listOf(shape({ name: text, configurations: { type: 'array' } }, ['name', 'configurations'])),
  inputs: INPUTS,
});

const TASKS = shape({
  version: text,
  tasks: listOf(
    shape({
      ...{ label: text, type: text, command: anyOf(text, object), args: { type: 'array' }, options: object },
      ...{ dependsOn: anyOf(text, object, { type: 'array' }), dependsOrder: { enum: ['parallel', 'sequence'] } },
      ...{
        isBackground: flag,
        presentation: object,
        group: anyOf(text, object),
        problemMatcher: anyOf(text, object, { type: 'array' }),
      },
    }),
  ),
  inputs: INPUTS,
});

const extensionIds = listOf(textLike('^[^\\s.]+\\.[^\\s.]+$', 'the id of an extension, such as "publisher.name"'));
const EXTENSIONS = shape({ recommendations: extensionIds, unwantedRecommendations: extensionIds });

const SERVERS: JsonObject = {
  type: 'object',
  additionalProperties: shape({ command: text, args: texts, env: object, type: text, url: text, headers: textMap }),
};

const WORKSPACE = shape(
  {
    folders: listOf({
      ...shape({ path: text, uri: text, name: text }),
      ...{ anyOf: [{ required: ['path'] }, { required: ['uri'] }], description: 'an object with "path" or "uri"' },
    }),
    ...{ settings: EDITOR_SETTINGS, launch: LAUNCH, tasks: TASKS, extensions: EXTENSIONS },
  },
  ['folders'],
);

export const SCHEMAS: Readonly<Record<ConfigName, JsonObject>> = {
  package: PACKAGE,
  tsconfig: TSCONFIG,
  settings: EDITOR_SETTINGS,
  launch: LAUNCH,
  tasks: TASKS,
  extensions: EXTENSIONS,
  mcp: shape({ servers: SERVERS, inputs: INPUTS }),
  workspace: WORKSPACE,
  servers: shape({ mcpServers: SERVERS }),
  lathe: shape({}),
};

/** With the words that are read in any case in lower case. */
export function normalized(name: ConfigName, value: JsonObject): JsonObject {
  const { compilerOptions } = value;
  if (name !== 'tsconfig' || !isJsonObject(compilerOptions)) return value;
  const lower = (one: Json): Json => (typeof one === 'string' ? one.toLowerCase() : one);
  const entries = Object.entries(compilerOptions).map(([key, option]): [string, Json] => {
    if (key.toLowerCase() in COMPILER_WORDS) return [key, lower(option)];
    return [key, key === 'lib' && Array.isArray(option) ? (option as readonly Json[]).map(lower) : option];
  });
  return { ...value, compilerOptions: Object.fromEntries(entries) };
}

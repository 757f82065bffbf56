// Lint rules: what the compiler cannot see (floating promises, floors, shells). Layout is prettier's business.
import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const TYPESCRIPT = ['**/*.{ts,tsx}'];
const SCRIPTS = ['**/*.{mjs,cjs}'];

const NAMED_EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: "ExportSpecifier[exported.name='default']", message: 'Named exports only.' },
];
const SHELL_STRING = 'A shell string is an injection waiting to happen: spawn a program with an argument list.';
const EXEC = 'exec() runs a shell string: spawn a program with an argument list.';
/** What of node:child_process takes a program and its arguments. */
const STARTS = '/^(spawn|spawnSync|execFile|execFileSync|fork)$/';
const NO_SHELL_STRINGS = [
  {
    selector: ":matches(Property[key.name='shell'], Property[key.value='shell'])[value.value=true]",
    message: SHELL_STRING,
  },
  {
    selector: `CallExpression[callee.name=${STARTS}] > ObjectExpression > :matches(Property[key.name='shell'], Property[key.value='shell']):not([value.value=false])`,
    message: SHELL_STRING,
  },
  {
    selector: 'MemberExpression[object.name=/^(childProcess|child_process|cp)$/][property.name=/^exec(Sync)?$/]',
    message: EXEC,
  },
  // The line that a shell gets is a constant or what somebody was shown, never put together in place.
  {
    selector:
      'CallExpression[callee.name=/^(spawn|spawnSync|execFile|execFileSync|fork)$/] ArrayExpression > Literal[value=/^-l?c$|^[/][cC]$|^-Command$/] ~ :matches(TemplateLiteral[expressions.length>0], BinaryExpression[operator="+"])',
    message: SHELL_STRING,
  },
  {
    selector:
      'CallExpression[callee.name=/^(spawn|spawnSync|execFile|execFileSync|fork)$/] > :matches(TemplateLiteral[expressions.length>0], BinaryExpression[operator="+"]):first-child',
    message: 'The program is a path of its own; what it gets stands in the list of its arguments.',
  },
  {
    selector: "VariableDeclarator[init.callee.name='require'][init.arguments.0.value=/child_process$/]",
    message: 'Import what is used of node:child_process by name.',
  },
  {
    selector:
      'ImportDeclaration[source.value=/child_process$/] > :matches(ImportNamespaceSpecifier, ImportDefaultSpecifier)',
    message: 'Import what is used of node:child_process by name.',
  },
  {
    selector: 'ImportExpression[source.value=/child_process$/]',
    message: 'Import what is used of node:child_process by name, in a file that says so at its top.',
  },
];
const UNUSED = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' };
const NO_EXEC = ['node:child_process', 'child_process'].map((name) => ({
  name,
  importNames: ['exec', 'execSync'],
  message: EXEC,
}));

/** What the files of one floor must not import. The architecture test holds the whole table; this one shows in the editor. */
function floor(files, message, regexes, paths = []) {
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [...NO_EXEC, ...paths], patterns: regexes.map((regex) => ({ regex, message })) },
      ],
    },
  };
}

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'out/', 'coverage/', 'test/fixtures/', 'media/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      'no-else-return': ['error', { allowElseIf: false }],
      'no-restricted-imports': ['error', { paths: NO_EXEC }],
      'no-restricted-syntax': ['error', ...NO_SHELL_STRINGS],
      'no-unused-vars': ['error', UNUSED],
      // Terminals and untrusted text are full of control characters, and finding them is the job.
      'no-control-regex': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: SCRIPTS, languageOptions: { globals: globals.node } },
  // Scripts that drive a browser hand it functions.
  { files: ['test/**/*.mjs'], languageOptions: { globals: { window: 'readonly', document: 'readonly' } } },
  {
    files: TYPESCRIPT,
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-restricted-syntax': ['error', ...NO_SHELL_STRINGS, ...NAMED_EXPORTS],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-unused-vars': 'off',
      '@typescript-eslint/no-unused-vars': ['error', UNUSED],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true, boolean: true } }],
      '@typescript-eslint/prefer-optional-chain': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A port's method is async because another implementation of it awaits.
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: ['src/**/*.ts', 'webview/**/*.{ts,tsx}'], ignores: ['src/headless.ts'], rules: { 'no-console': 'error' } },
  floor(['src/common/**/*.ts'], 'common is plain data: it imports nothing but itself.', [
    '^[^.]',
    '/(core|tools|node|vscode)/',
  ]),
  floor(['src/core/**/*.ts'], 'core is plain TypeScript: no editor, no disk, no processes, no higher floor.', [
    '^vscode$',
    '^node:(?!(path|crypto)$)',
    '^\\..*/(tools|node|vscode|webview)/',
  ]),
  floor(['src/tools/**/*.ts'], 'A tool works through the host it is given, and knows no other tool.', [
    '^vscode$',
    '^node:',
    '^\\..*/(node|vscode|webview)/',
  ]),
  floor(['src/node/**/*.ts'], 'The node host knows the core and Node.', ['^vscode$', '^\\..*/(tools|vscode|webview)/']),
  floor(['src/vscode/**/*.ts'], 'The editor side knows no tool and shares only plain data with the panel.', [
    '^\\..*/(tools|webview)/',
  ]),
  floor(['webview/**/*.{ts,tsx}'], 'The panel shares only src/common with the host.', [
    '^vscode$',
    '^node:',
    '/src/(?!common/)',
  ]),
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // Tests look into JSON that others produced; a wrong guess fails the assertion.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);

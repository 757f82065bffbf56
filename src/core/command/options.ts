// How interpreters are told what to run: which of their options take a value, and of what kind (S21).

/** Letters, and long options with blanks between them. What is missing here may name a script that nobody has looked at. */
export interface OptionTable {
  readonly flags: string;
  /** With a value that is no file: the rest of the word, else the next one. */
  readonly valued?: string;
  /** The rest of the word, digits only or all of it, where there is one. */
  readonly digits?: string;
  readonly glued?: string;
  /** With a file that is run. */
  readonly files?: string;
  /** With a text that is run, so that no operand is. */
  readonly code?: string;
  /** With a module that is run. */
  readonly module?: string;
  /** `name`, `name=` with a value, `name?` with one only after `=`, `name@` with a file that is run, `name:` with a text. */
  readonly long: string;
  /** Values stand in the next word, whatever follows the letter, and signs turn options off: `-eo pipefail`, `+o posix`. */
  readonly isShell?: boolean;
  /** Words that may stand before the script. */
  readonly commands?: RegExp;
  /** What a name without an ending may stand for. */
  readonly endings?: readonly string[];
}

const NODE_LONG =
  'require@ import@ loader@ experimental-loader@ env-file@ env-file-if-exists@ eval: print: check interactive help version watch watch-path= test test-name-pattern= test-only test-reporter@ test-concurrency= inspect? inspect-brk? inspect-wait? inspect-port= max-old-space-size= stack-size= stack-trace-limit= conditions= input-type= title= trace-warnings trace-uncaught trace-deprecation no-warnings no-deprecation throw-deprecation pending-deprecation enable-source-maps preserve-symlinks preserve-symlinks-main experimental-strip-types experimental-transform-types experimental-vm-modules experimental-modules experimental-test-coverage expose-gc unhandled-rejections=';

const NODE: OptionTable = {
  flags: 'hicv',
  valued: 'C',
  files: 'r',
  code: 'ep',
  long: NODE_LONG,
  commands: /^inspect$/,
  endings: ['.js', '.cjs', '.mjs', '.json', '.node', '/package.json', '/index.js'],
};
const PYTHON: OptionTable = {
  flags: 'bBdEhiIOPqRsStuvVx',
  valued: 'WX',
  code: 'c',
  module: 'm',
  long: 'help version help-env help-xoptions help-all check-hash-based-pycs=',
  endings: ['/__main__.py'],
};
const SHELL: OptionTable = {
  flags: 'abefhiklmnprtuvxBCDEHPT',
  valued: 'oO',
  code: 'cs',
  long: 'norc noprofile posix login verbose help version restricted noediting rcfile@ init-file@ command:',
  isShell: true,
};

const TABLES: readonly (readonly [program: RegExp, table: OptionTable])[] = [
  [/^(bash|sh|zsh|dash|ksh|ash|fish)$/, SHELL],
  [/^(node|nodejs)$/, NODE],
  [/^tsx$/, { ...NODE, long: `${NODE_LONG} tsconfig= no-cache`, commands: /^watch$/ }],
  [
    /^ts-node(-esm|-script)?$/,
    { ...NODE, flags: 'hicvTs', files: 'rP', long: `${NODE_LONG} esm transpile-only project@ swc` },
  ],
  [/^(python|pypy)[\d.]*$/, PYTHON],
  [/^perl[\d.]*$/, { flags: 'acfhnpsStTuUvVwWX', digits: 'l0', glued: 'iCdxDF', code: 'eE', long: 'help version' }],
  [
    /^ruby[\d.]*$/,
    {
      flags: 'aclnpsSvwyh',
      digits: '0',
      glued: 'iWTKEFx',
      files: 'r',
      code: 'e',
      long: 'help version verbose yjit jit enable= disable= encoding= external-encoding= internal-encoding=',
    },
  ],
  [/^php[\d.]*$/, { flags: 'aCHhilmnqsvw', files: 'fF', code: 'rBRE', long: 'run: file@ help version info' }],
  [/^lua[\d.]*$/, { flags: 'ivEW', code: 'e', long: '', endings: [] }],
  [
    /^Rscript$/,
    {
      flags: '',
      code: 'e',
      long: 'vanilla no-save no-restore slave quiet verbose version help no-environ no-init-file',
    },
  ],
  [
    /^deno$/,
    {
      flags: 'AqrhV',
      files: 'c',
      long: 'allow-all allow-read? allow-write? allow-net? allow-env? allow-run? allow-sys? allow-ffi? allow-import? deny-read? deny-write? deny-net? deny-env? deny-run? no-prompt no-check? no-lock no-remote no-npm quiet cached-only reload? watch? check? import-map@ config@ preload@ env-file? seed= ext= v8-flags? inspect? inspect-brk? help version',
      commands: /^(run|test|bench|check|serve)$/,
    },
  ],
  [
    /^bun$/,
    {
      flags: 'bhv',
      files: 'r',
      code: 'ep',
      long: 'preload@ require@ import@ env-file@ eval: print: watch hot bun smol silent help version',
      commands: /^(run|test)$/,
      endings: ['.js', '.ts', '.tsx', '/package.json', '/index.ts', '/index.js'],
    },
  ],
];

export function tableOf(program: string): OptionTable | undefined {
  return TABLES.find(([programs]) => programs.test(program))?.[1];
}

export interface Told {
  /** Files that run, or may, as written. */
  readonly files: readonly string[];
  /** The first word that is no option: the script, or where `isText` what may be its text. */
  readonly operand?: string;
  readonly isText: boolean;
  /** An option that is not known, so that anything after it may be its value. */
  readonly unknown?: string;
}

/** What an interpreter runs with these arguments. */
export function readOptions(args: readonly string[], table: OptionTable): Told {
  const files: string[] = [];
  let isText = false;
  let unknown: string | undefined;
  const long = new Map(
    table.long.split(' ').map((one) => [one.replace(/[=?@:]$/, ''), /[=?@:]$/.exec(one)?.[0] ?? ''] as const),
  );
  const withOperand = (operand: string | undefined): Told => {
    const script = operand === undefined || isText ? [] : formsOf(operand, table);
    const rest = { isText, ...(unknown === undefined ? {} : { unknown }) };
    return { files: [...files, ...script], ...(operand === undefined ? {} : { operand }), ...rest };
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return withOperand(args[at + 1]);
    if (arg === '-') return withOperand(undefined);
    const isOption = arg.startsWith('-') || (table.isShell === true && /^\+\w/.test(arg));
    if (!isOption) {
      if (table.commands?.test(arg)) continue;
      return withOperand(arg);
    }
    if (arg.startsWith('--')) {
      const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
      const kind = long.get(name.replaceAll('_', '-'));
      if (kind === undefined) unknown ??= `--${name}`;
      const given = value ?? (kind === '=' || kind === '@' || kind === ':' ? args[++at] : undefined);
      if (kind === '@' && given !== undefined) files.push(given);
      if (kind === ':') isText = true;
      continue;
    }
    for (let letter = 1; letter < arg.length; letter++) {
      const name = arg[letter] ?? '';
      const rest = arg.slice(letter + 1);
      const isOf = (letters = '') => letters.includes(name);
      if (table.isShell && isOf(table.code)) isText = true;
      else if (table.isShell && isOf(table.valued)) at++;
      else if (isOf(table.flags)) continue;
      else if (isOf(table.digits)) letter += /^\d*/.exec(rest)?.[0].length ?? 0;
      else if (isOf(table.glued)) break;
      else if (isOf(table.valued) || isOf(table.files) || isOf(table.code) || isOf(table.module)) {
        const value = rest === '' ? (args[++at] ?? '') : rest;
        if (isOf(table.files)) files.push(value);
        if (isOf(table.code)) isText = true;
        // What comes after a module is its own.
        if (isOf(table.module)) return { files: [...files, ...modulesOf(value)], isText: true };
        break;
      } else {
        unknown ??= `-${name}`;
        break;
      }
    }
  }
  return withOperand(undefined);
}

function formsOf(script: string, { endings = [] }: OptionTable): readonly string[] {
  const name = script.slice(script.lastIndexOf('/') + 1);
  return /[^.]\.\w+$/.test(name)
    ? [script]
    : [script, ...endings.map((ending) => `${script.replace(/\/$/, '')}${ending}`)];
}

/** Where Python looks for one in the current folder, first of all. */
function modulesOf(name: string): readonly string[] {
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

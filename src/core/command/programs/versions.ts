// Programs that run what a project holds, in the few forms that run nothing of it.
import { reads, takeApart, type Judge } from './spec';

/**
 * Asking these for their version runs nothing of the workspace's. Missing on purpose: yarn, pnpm, bun (settings of the project run
 * code), rustc, cargo, go, dotnet (the project chooses a toolchain), mvn, gradle (options for the virtual machine), terraform (asks
 * its maker) (S14).
 */
const VERSIONED: Readonly<Record<string, RegExp>> = {
  node: /^(-v|--version)$/,
  npm: /^(-v|--version)$/,
  npx: /^(-v|--version)$/,
  deno: /^(-V|--version)$/,
  python: /^(-V|--version)$/,
  python3: /^(-V|--version)$/,
  pip: /^(-V|--version)$/,
  pip3: /^(-V|--version)$/,
  ruby: /^(-v|--version)$/,
  perl: /^(-v|--version)$/,
  php: /^(-v|--version)$/,
  java: /^(-version|--version)$/,
  javac: /^(-version|--version)$/,
  gcc: /^(-v|--version)$/,
  'g++': /^(-v|--version)$/,
  cc: /^(-v|--version)$/,
  clang: /^(-v|--version)$/,
  make: /^(-v|--version)$/,
  cmake: /^--version$/,
  docker: /^(-v|--version)$/,
  bash: /^--version$/,
  curl: /^(-V|--version)$/,
  wget: /^(-V|--version)$/,
  tar: /^--version$/,
  zip: /^-v$/,
  code: /^(-v|--version)$/,
  gh: /^(--version|version)$/,
  kubectl: /^--version$/,
};

const onlyVersion =
  (option: RegExp): Judge =>
  ([first, ...rest]) =>
    rest.length === 0 && option.test(first?.text ?? '') ? [] : undefined;

const versions = Object.fromEntries(Object.entries(VERSIONED).map(([name, option]) => [name, onlyVersion(option)]));

const NPM_OPTIONS = {
  flags: 'aglp',
  long: 'all depth= global include= json link long omit= parseable prod production unicode? workspace= workspaces',
};

const PIP: Readonly<Record<string, Judge>> = {
  list: reads({
    flags: 'elv',
    long: 'editable exclude= exclude-editable format= local not-required user verbose',
    operands: 'none',
  }),
  show: reads({ flags: 'fv', long: 'files verbose', operands: 'texts' }),
  freeze: reads({ flags: 'l', long: 'all exclude= exclude-editable local user', operands: 'none' }),
  check: reads({ operands: 'none' }),
};

/** Not what it looks up on a server (`index`, `search`, `list --outdated`). */
const pip: Judge = (args) => {
  const name = args[0]?.text ?? '';
  return Object.hasOwn(PIP, name) ? PIP[name]?.(args.slice(1)) : versions['pip']?.(args);
};

export const PACKAGES: Readonly<Record<string, Judge>> = {
  ...versions,
  pip,
  pip3: pip,
  npm: (args) => {
    const [first, ...rest] = args;
    if (/^(ls|list|ll|la|root|prefix)$/.test(first?.text ?? '')) return takeApart(rest, NPM_OPTIONS) ? [] : undefined;
    return versions['npm']?.(args);
  },
};

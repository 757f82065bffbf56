// The commands of Git that only read, in the forms that do. Its configuration can run programs, so no option that changes it and no other folder passes (S13).
import type { Touched } from '../types';
import type { Word } from '../words';
import { isMagic, isPlainPath, namedBy } from './pathspecs';
import { readOf, reads, takeApart, type Given, type Judge, type Reads, type Spec } from './spec';

const DIFF =
  'abbrev? binary cached check cc color? color-moved? combined-all-paths compact-summary diff-algorithm= diff-filter= dirstat? exit-code find-copies? find-renames? full-index function-context histogram ignore-all-space ignore-blank-lines ignore-cr-at-eol ignore-space-at-eol ignore-space-change inter-hunk-context= irreversible-delete merge-base minimal name-only name-status no-color no-ext-diff no-prefix no-patch no-renames no-textconv numstat patch patch-with-stat patience pickaxe-all pickaxe-regex quiet raw relative? root shortstat staged stat? submodule? summary text unified= word-diff? word-diff-regex= ws-error-highlight=';
const LOG = `${DIFF} abbrev-commit after= all all-match ancestry-path? author= author-date-order basic-regexp before= boundary branches? children cherry cherry-mark cherry-pick clear-decorations committer= count date= date-order decorate? decorate-refs= decorate-refs-exclude= dense exclude= extended-regexp first-parent fixed-strings follow format= full-history glob= graph grep= grep-reflog= invert-grep left-only left-right log-size max-count= max-parents= merge merges min-parents= no-abbrev-commit no-decorate no-max-parents no-merges no-min-parents no-notes no-walk? not notes? oneline parents perl-regexp pretty? reflog regexp-ignore-case remotes? remove-empty reverse right-only show-pulls simplify-by-decoration simplify-merges since= skip= source sparse tags? topo-order until= use-mailmap walk-reflogs`;
const DIFF_FLAGS = 'abcCDMmpRrsuwWz';
const DIFF_VALUED = 'GSU';

/** `%G…` asks for signatures, for which a program is run. */
const hasNoSignature = ({ options }: { readonly options: readonly (readonly [string, string])[] }) =>
  options.every(([, value]) => !/%G|signature/i.test(value));

/** Without one of these `git log` shows commits and no files. What is searched for tells of files too, by what it finds. */
const SHOWING =
  /^(p|u|patch|patch-with-stat|raw|stat|name-only|name-status|numstat|summary|compact-summary|dirstat|word-diff|c|cc|L|G|S|full-diff)$/;
const isShowing = ({ options }: Given) => options.some(([name]) => SHOWING.test(name));

const diff = (more: Partial<Spec> = {}, shows?: (given: Given) => boolean): Judge =>
  revisions({ flags: DIFF_FLAGS, valued: DIFF_VALUED, long: DIFF, counts: true, ...more }, shows);
const log = (shows?: (given: Given) => boolean): Judge =>
  diff({ flags: `${DIFF_FLAGS}EFgiP0t`, valued: `${DIFF_VALUED}nL`, long: LOG, check: hasNoSignature }, shows);

/** Lists where nothing is named, or where it says so; else it creates. */
const listing =
  (spec: Pick<Spec, 'flags' | 'valued' | 'long'>): Judge =>
  (args) => {
    const given = takeApart(args, spec);
    if (!given || !hasNoSignature(given)) return undefined;
    const isList = given.options.some(([name]) => /^(list|l)$/.test(name));
    return isList || given.operands.length === 0 ? [] : undefined;
  };

const none: Judge = (args) => (args.length === 0 ? [] : undefined);
const texts = (long: string, flags = '', valued = ''): Judge =>
  reads({ flags, valued, long, operands: 'texts', check: hasNoSignature });

/** The value of `-u` is glued to it. */
function withGluedMode(spec: Spec): Judge {
  const judge = reads(spec);
  const isMode = /^-u(no|normal|all)$/;
  return (args) => judge(args.map((word) => (isMode.test(word.text ?? '') ? { ...word, text: '-u' } : word)));
}

const COMMANDS: Readonly<Record<string, Judge>> = {
  status: lists(
    withGluedMode({
      flags: 'bsuvz',
      long: 'ahead-behind branch column? find-renames? ignored? ignore-submodules? long no-ahead-behind no-column no-renames porcelain? renames short show-stash untracked-files? verbose',
      operands: 'paths',
    }),
  ),
  diff: diff(),
  'diff-tree': diff({ flags: `${DIFF_FLAGS}t`, long: `${DIFF} no-commit-id always stdin` }),
  'diff-index': diff(),
  'diff-files': diff(),
  log: log(isShowing),
  show: log(),
  whatchanged: log(),
  'rev-list': log(isShowing),
  shortlog: revisions(
    {
      flags: 'censg',
      valued: 'w',
      long: `${LOG} email group= numbered summary`,
      check: hasNoSignature,
    },
    isShowing,
  ),
  // Words that are no sub-command are shown, and may come to be one: only options stand first.
  reflog: (args) => {
    const [first] = args;
    if (first === undefined) return [];
    return first.text === 'show'
      ? log(isShowing)(args.slice(1))
      : first.text?.startsWith('-')
        ? log(isShowing)(args)
        : undefined;
  },
  branch: listing({
    flags: 'ailrv',
    long: 'abbrev? all color? column? contains= format= ignore-case list merged= no-color no-column no-contains= no-merged= points-at= remotes show-current sort= verbose',
  }),
  tag: listing({
    flags: 'iln',
    long: 'color? column? contains= format= ignore-case list merged= no-column no-contains= no-merged= points-at= sort=',
  }),
  remote: (args) => {
    const [first, ...rest] = args.map(({ text }) => text);
    if (first === undefined || ((first === '-v' || first === '--verbose') && rest.length === 0)) return [];
    return first === 'get-url' &&
      rest.every((word) => word !== undefined && (!word.startsWith('-') || /^--(all|push)$/.test(word)))
      ? []
      : undefined;
  },
  stash: (args) => {
    const [first, ...rest] = args;
    if (first?.text === 'list') return log(isShowing)(rest);
    return first?.text === 'show' ? diff({ long: `${DIFF} include-untracked only-untracked` })(rest) : undefined;
  },
  worktree: (args) =>
    args[0]?.text === 'list' && args.slice(1).every(({ text }) => /^(--porcelain|-v|--verbose|-z)$/.test(text ?? ''))
      ? []
      : undefined,
  'rev-parse': texts(
    'abbrev-ref? absolute-git-dir all branches? git-common-dir git-dir is-bare-repository is-inside-git-dir is-inside-work-tree quiet remotes? short? show-cdup show-prefix show-superproject-working-tree show-toplevel symbolic symbolic-full-name tags? verify',
    'q',
  ),
  'ls-files': lists(
    reads({
      flags: 'cdikmostuvz',
      valued: 'x',
      long: 'abbrev? cached deduplicate deleted directory eol error-unmatch exclude= exclude-standard full-name ignored killed modified no-empty-directory others recurse-submodules resolve-undo stage unmerged',
      operands: 'paths',
    }),
  ),
  'ls-tree': revisions({
    flags: 'dlrtz',
    long: 'abbrev? format= full-name full-tree long name-only name-status object-only',
  }),
  blame: revisions(
    {
      flags: 'bcCefklMnpstw',
      valued: 'L',
      long: 'abbrev= color-by-age color-lines date= first-parent incremental line-porcelain porcelain reverse root score-debug show-email show-name show-number show-stats since=',
    },
    () => false,
  ),
  grep: revisions({
    flags: 'aEFGhHiIlLnoPpqvwWz',
    valued: 'eABCm',
    long: 'after-context= all-match and basic-regexp before-context= break cached color? column context= count extended-regexp files-with-matches files-without-match fixed-strings full-name function-context heading ignore-case invert-match line-number max-count= max-depth= name-only no-color not null only-matching or perl-regexp quiet recursive show-function text untracked word-regexp',
    counts: true,
  }),
  describe: texts(
    'abbrev= all always candidates= contains debug dirty? exact-match exclude= first-parent long match= tags',
  ),
  'cat-file': revisions({ flags: 'eptsz', long: 'allow-unknown-type' }),
  'merge-base': texts('all fork-point independent is-ancestor octopus', 'a'),
  'name-rev': texts('all always exclude= name-only no-undefined refs= tags'),
  'for-each-ref': texts(
    'color? contains= count= format= ignore-case merged= no-contains= no-merged= omit-empty points-at= sort=',
  ),
  'show-ref': texts('abbrev? branches dereference exists hash? head heads quiet tags verify', 'dqs'),
  'show-branch': texts('all remotes current list independent more= topo-order date-order no-name sha1-name', 'ar'),
  'count-objects': texts('human-readable verbose', 'Hv'),
  'check-ignore': reads({ flags: 'nqvz', long: 'no-index non-matching quiet verbose', operands: 'paths' }),
  'symbolic-ref': reads({ flags: 'q', long: 'no-recurse quiet recurse short', operands: 'texts', maxOperands: 1 }),
  config: judgeConfig,
  version: reads({ long: 'build-options', operands: 'none' }),
  '--version': none,
};

export const git: Judge = (args) => {
  let at = 0;
  while (/^(--no-pager|-P|--no-optional-locks)$/.test(args[at]?.text ?? '')) at++;
  const name = args[at]?.text ?? '';
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.(args.slice(at + 1)) : undefined;
};

/**
 * Operands are revisions or paths, and Git alone knows which. Taken for paths, revisions lie in the workspace and harm nothing,
 * while a path outside makes `git diff` read any two files. `shows`: that these options show files of the repository, or tell of them.
 */
function revisions(spec: Omit<Spec, 'operands'>, shows: (given: Given) => boolean = () => true): Judge {
  return (args) => {
    const given = takeApart(args, spec);
    if (!given || (spec.check && !spec.check(given))) return undefined;
    const traced = given.options.flatMap(([name, value]) => {
      const path = name === 'L' ? /:([^:]+)$/.exec(value)?.[1] : undefined;
      return path === undefined ? [] : [readOf({ text: path, isGlob: false, isHome: false })];
    });
    // What stands behind the dashes are paths.
    const at = args.findIndex(({ text }) => text === '--');
    const paths = at === -1 ? [] : args.slice(at + 1);
    const isNarrow = paths.length > 0 && paths.every(isPlainPath);
    const named = given.operands.flatMap((word): Reads => {
      const { text = '' } = word;
      const [, path] = /^[^:]*:(?:[0-3]:)?(.+)$/.exec(text) ?? [];
      if (paths.includes(word) && isNarrow) return [readOf(word), ...(shows(given) ? [partOf(text)] : [])];
      if (isMagic(word)) return namedBy(word);
      return [...namedBy(word), ...(path === undefined ? [] : [readOf({ ...word, text: path })])];
    });
    // `git grep` then reads files that nobody has given to the repository.
    const untracked = given.options.some(([name]) => name === 'untracked')
      ? [{ op: 'read', path: '.', isDeep: true } as const]
      : [];
    const any = !isNarrow && shows(given) ? [ALL] : [];
    return [...traced, ...untracked, ...named, ...any];
  };
}

const ALL: Touched = { op: 'read', path: '.', inRepository: 'all' };
const partOf = (path: string): Touched => ({ ...ALL, path, inRepository: 'part', isDeep: true, onlyNamed: true });

/** It lists what is in the repository, or what is not yet. */
function lists(judge: Judge): Judge {
  return (args) => {
    const found = judge(args);
    return found && [...found, ALL];
  };
}

/** Keys whose values are passwords, or may hold one. */
const SECRET_KEY = /token|pass|secret|cred|extraheader|cookie|url|key|proxy|smtp/i;

function judgeConfig(args: readonly Word[]): Reads | undefined {
  const given = takeApart(args, {
    flags: 'z',
    long: 'get get-all global local null show-origin show-scope system type=',
  });
  const [key, ...rest] = given?.operands ?? [];
  if (key?.text === undefined || rest.length > 0) return undefined;
  return key.text.includes('.') && !SECRET_KEY.test(key.text) ? [] : undefined;
}

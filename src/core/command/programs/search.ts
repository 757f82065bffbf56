// Programs that search. Each option is listed because it only reads and runs nothing.
import type { Touched } from '../types';
import type { Word } from '../words';
import { readOf, reads, type Judge, type Spec } from './spec';

const GREP: Spec = {
  anyOption: true,
  flags: 'abcEFGhHiIlLnoPqrRsTUvwxyz',
  valued: 'eABCmdD',
  long: 'after-context= basic-regexp before-context= binary binary-files= byte-offset color? colour? context= count dereference-recursive devices= directories= exclude= exclude-dir= extended-regexp files-with-matches files-without-match fixed-strings ignore-case include= initial-tab invert-match label= line-buffered line-number line-regexp max-count= no-filename no-ignore-case no-messages null null-data only-matching perl-regexp quiet recursive regexp= silent text with-filename word-regexp',
  counts: true,
  operands: 'pattern',
  patternOptions: ['e', 'regexp'],
  deep: ['r', 'R', 'recursive', 'dereference-recursive', 'd', 'directories'],
  following: ['R', 'dereference-recursive'],
  including: ['include'],
  except: ['exclude'],
};

// Not --pre, --hostname-bin, -z (run programs), -f and --ignore-file (read files of their own), -L (leads out of the folder).
const RG: Spec = {
  flags: 'abcFHiIlNnopPqsSuUvwx0.',
  valued: 'eABCdEgjmMrtT',
  long: 'after-context= before-context= binary block-buffered byte-offset case-sensitive color= colors= column context= context-separator= count count-matches crlf debug encoding= engine= field-context-separator= field-match-separator= files files-with-matches files-without-match fixed-strings glob= glob-case-insensitive heading hidden iglob= ignore-case include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-unicode null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-list type-not= unrestricted vimgrep with-filename word-regexp',
  operands: 'pattern',
  patternOptions: ['e', 'regexp', 'files', 'type-list'],
  deep: 'always',
  including: ['g', 'glob'],
  except: ['iglob'],
  unignoring: [
    'u',
    'unrestricted',
    'hidden',
    '.',
    'no-ignore',
    'no-ignore-dot',
    'no-ignore-vcs',
    'no-ignore-parent',
    'no-ignore-exclude',
    'no-ignore-global',
  ],
};

export const SEARCHES: Readonly<Record<string, Judge>> = {
  grep: reads(GREP),
  egrep: reads(GREP),
  fgrep: reads(GREP),
  rg: reads(RG),
  find: judgeFind,
  // Not -x and -X (run programs), -l (runs ls).
  fd: reads({
    flags: 'HIsiFgpau01',
    valued: 'cdeEjStw',
    long: 'absolute-path case-sensitive changed-before= changed-within= color= exact-depth= exclude= extension= fixed-strings full-path glob hidden ignore-case max-depth= max-results= min-depth= no-ignore no-ignore-vcs print0 quiet size= strip-cwd-prefix? threads= type= unrestricted',
    operands: 'pattern',
    deep: 'always',
    listsUnless: [],
  }),
};

const FIND_OPTIONS = /^-[HLPD]$|^-O\d$/;
const FIND_WORDS = new Set(
  '! ( ) , -a -and -o -or -not -true -false -print -print0 -prune -quit -ls -depth -d -mount -xdev -follow -daystart -empty -nouser -nogroup -readable -writable -executable -ignore_readdir_race -noignore_readdir_race -noleaf -warn -nowarn -help -version --help --version'.split(
    ' ',
  ),
);
const FIND_VALUED = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -perm -user -group -uid -gid -links -inum -newermt -newerat -newerct -newermm -maxdepth -mindepth -regextype -fstype -printf'.split(
    ' ',
  ),
);
const FIND_COMPARED = /^-(newer|anewer|cnewer|samefile)$/;

/** What it finds is named, not read. Without a folder it begins in the current one. Its actions run programs, delete and write: every word of the expression must be known. */
function judgeFind(args: readonly Word[]): readonly Touched[] | undefined {
  let at = 0;
  const followsLinks = args.some(({ text }) => text === '-L' || text === '-follow');
  while (FIND_OPTIONS.test(args[at]?.text ?? '')) at++;
  const paths: Word[] = [];
  const isExpression = (text: string) => /^[-!(),]/.test(text);
  for (; at < args.length && !isExpression(args[at]?.text ?? '-'); at++) {
    const word = args[at];
    if (word === undefined || (word.isGlob && /^[*?[]/.test(word.text ?? ''))) return undefined;
    paths.push(word);
  }
  const compared: Word[] = [];
  for (; at < args.length; at++) {
    const word = args[at];
    if (word?.text === undefined || word.isGlob) return undefined;
    if (FIND_WORDS.has(word.text)) continue;
    const value = args[++at];
    if (value?.text === undefined || value.isGlob) return undefined;
    if (FIND_COMPARED.test(word.text)) compared.push(value);
    else if (!FIND_VALUED.has(word.text)) return undefined;
  }
  const depth = { isDeep: true, onlyNamed: true, ...(followsLinks ? { followsLinks } : {}) };
  const starts = paths.length > 0 ? paths : [{ text: '.', isGlob: false, isHome: false }];
  return [...starts.map((word) => readOf(word, depth)), ...compared.map((word) => readOf(word))];
}

// Programs that look at files, folders and the machine. Each option is listed because it only reads; what is missing here asks.
import { reads, takeApart, type Judge } from './spec';

/** Options that every tool of the GNU core utilities with sums takes. */
const SUM = reads({ anyOption: true, flags: 'btz', long: 'binary text tag zero', operands: 'paths' });

const PS = reads({
  flags: 'AadefFjlLMTwxy',
  valued: 'CgGopstuU',
  long: 'cols= forest format= group= headers no-headers pid= ppid= sort= user= width=',
  operands: 'none',
});

const TREE = reads({
  flags: 'acCdDfFghiJlnNpqQrsStuUvxX',
  valued: 'ILP',
  long: 'charset= device dirsfirst filelimit= filesfirst gitignore ignore-case inodes matchdirs metafirst noreport prune si sort= timefmt= du',
  operands: 'paths',
  deep: 'always',
  listsUnless: [],
});

export const FILES: Readonly<Record<string, Judge>> = {
  ls: reads({
    anyOption: true,
    flags: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    valued: 'ITw',
    long: 'all almost-all author block-size= color? colour? context dereference dereference-command-line directory escape file-type format= full-time group-directories-first hide= human-readable hyperlink? ignore= ignore-backups indicator-style= inode kibibytes literal no-group numeric-uid-gid quote-name quoting-style= recursive reverse show-control-chars hide-control-chars si size sort= tabsize= time= time-style= width= zero',
    operands: 'paths',
    deep: ['R', 'recursive'],
    listsUnless: ['d', 'directory'],
  }),
  pwd: reads({ flags: 'LP', operands: 'none' }),
  cat: reads({
    anyOption: true,
    flags: 'AbeEnstTuv',
    long: 'number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank',
    operands: 'paths',
  }),
  head: reads({
    anyOption: true,
    flags: 'qvz',
    valued: 'cn',
    long: 'bytes= lines= quiet silent verbose zero-terminated',
    counts: true,
    operands: 'paths',
  }),
  tail: reads({
    anyOption: true,
    flags: 'fFqrvz',
    valued: 'cns',
    long: 'bytes= follow? lines= max-unchanged-stats= pid= quiet retry silent sleep-interval= verbose zero-terminated',
    counts: true,
    operands: 'paths',
  }),
  wc: reads({
    anyOption: true,
    flags: 'clLmw',
    long: 'bytes chars lines max-line-length words total=',
    operands: 'paths',
  }),
  // Not -C (writes), -f and -m (read files of their own), -z (runs programs), -s (devices), -p (changes times).
  file: reads({
    flags: 'bhiIkLNnrv0',
    valued: 'eFP',
    long: 'brief dereference no-dereference keep-going mime mime-encoding mime-type no-buffer no-pad print0 raw separator= exclude= extension',
    operands: 'paths',
  }),
  stat: reads({
    anyOption: true,
    flags: 'fLtx',
    valued: 'c',
    long: 'cached= dereference file-system format= printf= terse',
    operands: 'paths',
  }),
  du: reads({
    anyOption: true,
    flags: 'abcDHhklLmPsSx0',
    valued: 'dBt',
    long: 'all apparent-size block-size= bytes count-links dereference dereference-args exclude= human-readable inodes max-depth= no-dereference null one-file-system separate-dirs si summarize threshold= time? time-style= total',
    operands: 'paths',
    deep: 'always',
    listsUnless: ['s', 'summarize'],
  }),
  df: reads({
    flags: 'aBhHiklmPTv',
    valued: 'tx',
    long: 'all block-size= exclude-type= human-readable inodes local no-sync output? portability print-type si total type=',
    operands: 'paths',
  }),
  // The letters after -L are options too, and -o among them writes.
  tree: (args) => (args.some(({ text }) => /^-\w*[ILP](?!\d*$)/.test(text ?? '')) ? undefined : TREE(args)),
  realpath: reads({
    flags: 'eLmPqsz',
    long: 'canonicalize-existing canonicalize-missing logical no-symlinks physical quiet relative-base= relative-to= strip zero',
    operands: 'paths',
  }),
  readlink: reads({
    flags: 'efmnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
    operands: 'paths',
  }),
  basename: reads({ flags: 'az', valued: 's', long: 'multiple suffix= zero', operands: 'texts' }),
  dirname: reads({ flags: 'z', long: 'zero', operands: 'texts' }),
  cksum: SUM,
  sum: reads({ flags: 'rs', long: 'sysv', operands: 'paths' }),
  md5sum: SUM,
  sha1sum: SUM,
  sha224sum: SUM,
  sha256sum: SUM,
  sha384sum: SUM,
  sha512sum: SUM,
  b2sum: SUM,
  which: reads({ flags: 'as', long: 'all', operands: 'texts' }),
  whereis: reads({ flags: 'bmsu', operands: 'texts' }),
  type: reads({ flags: 'aftpP', operands: 'texts' }),

  whoami: reads({ operands: 'none' }),
  groups: reads({ operands: 'texts' }),
  id: reads({ flags: 'agGnruzZ', long: 'context group groups name real user zero', operands: 'texts' }),
  uname: reads({
    flags: 'aimnoprsv',
    long: 'all hardware-platform kernel-name kernel-release kernel-version machine nodename operating-system processor',
    operands: 'none',
  }),
  // With an operand it sets the name.
  hostname: reads({
    flags: 'AdfiIsy',
    long: 'fqdn ip-address long short domain all-fqdns all-ip-addresses',
    operands: 'none',
  }),
  arch: reads({ operands: 'none' }),
  nproc: reads({ long: 'all ignore=', operands: 'none' }),
  uptime: reads({ flags: 'ps', long: 'pretty since', operands: 'none' }),
  free: reads({
    flags: 'bghklmtvw',
    valued: 'c',
    long: 'bytes kibi mebi gibi tebi kilo mega giga tera human si lohi total wide',
    operands: 'none',
  }),
  lscpu: reads({ flags: 'abcJxy', long: 'all bytes hex json online offline physical', operands: 'none' }),
  // Not e, which shows the variables of processes.
  ps: (args) => {
    if (args.length === 1 && /^(?:a?ux|axu?|x)(?:f|w|ww)?$/.test(args[0]?.text ?? '')) return [];
    return PS(args);
  },
  pgrep: reads({
    flags: 'acfilnovx',
    valued: 'dgGPstuU',
    long: 'count delimiter= full ignore-case inverse list-full list-name newest oldest parent= uid= exact',
    operands: 'texts',
  }),
  tty: reads({ flags: 's', long: 'quiet silent', operands: 'none' }),
  locale: reads({ flags: 'a', long: 'all-locales', operands: 'none' }),
  // An operand without a plus sets the clock, and so does -s.
  date: (args) => {
    const given = takeApart(args, {
      flags: 'Ru',
      valued: 'd',
      long: 'date= iso-8601? rfc-email rfc-3339= utc universal debug',
    });
    return given?.operands.every(({ text }) => text?.startsWith('+')) === true ? [] : undefined;
  },
};

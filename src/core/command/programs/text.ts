// Programs that turn one text into another on their standard output. Each option is listed because it only reads.
import { onlyPrints } from './sed';
import { readOf, reads, takeApart, type Judge } from './spec';

/** A format of printf that sets no variable, as `%n` does: PATH would be one of them. Nor is it the option -v, which evaluates what stands in brackets. */
const PRINTS = /^(?!-)(?:[^%]|%%|%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[hlLjzt]*[diouxXeEfFgGaAcsbqQ]|%\([^)]*\)T)*$/;

export const TEXTS: Readonly<Record<string, Judge>> = {
  echo: () => [],
  true: () => [],
  false: () => [],
  ':': () => [],
  printf: ([format]) => (format && !format.isGlob && PRINTS.test(format.text ?? '') ? [] : undefined),
  sleep: reads({ operands: 'texts' }),
  seq: reads({ flags: 'w', valued: 'fst', long: 'equal-width format= separator=', counts: true, operands: 'texts' }),
  expr: (args) => (args.every(({ text, isGlob }) => text !== undefined && !isGlob) ? [] : undefined),
  nl: reads({ anyOption: true, flags: 'p', valued: 'bdfhilnsvw', operands: 'paths' }),
  cut: reads({
    anyOption: true,
    flags: 'nsz',
    valued: 'bcdf',
    long: 'bytes= characters= complement delimiter= fields= only-delimited output-delimiter= zero-terminated',
    operands: 'paths',
  }),
  paste: reads({ flags: 'sz', valued: 'd', long: 'delimiters= serial zero-terminated', operands: 'paths' }),
  tr: reads({ flags: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', operands: 'texts' }),
  // Not -l, which runs pr.
  diff: reads({
    flags: 'abBcdeEiNnpqrsTtuwy',
    valued: 'CUWxFIL',
    long: 'brief color? context? exclude= expand-tabs ignore-all-space ignore-blank-lines ignore-case ignore-matching-lines= ignore-space-change ignore-tab-expansion ignore-trailing-space label= left-column minimal new-file no-dereference normal recursive report-identical-files show-c-function side-by-side strip-trailing-cr suppress-common-lines text unified? width=',
    operands: 'paths',
    // Of two folders it reads what lies in them, without -r too.
    deep: 'always',
    following: 'always',
  }),
  cmp: reads({
    flags: 'bls',
    valued: 'in',
    long: 'bytes= ignore-initial= print-bytes quiet silent verbose',
    operands: 'paths',
    maxOperands: 2,
  }),
  comm: reads({
    flags: '123z',
    long: 'check-order nocheck-order output-delimiter= total zero-terminated',
    operands: 'paths',
    maxOperands: 2,
  }),
  join: reads({
    flags: 'iz',
    valued: '12aejotv',
    long: 'ignore-case header check-order nocheck-order zero-terminated',
    operands: 'paths',
    maxOperands: 2,
  }),
  // Not -o and -T (write), --compress-program (runs), --files0-from and --random-source (read files of their own).
  sort: reads({
    flags: 'bcCdfghimMnrRsuVz',
    valued: 'ktS',
    long: 'buffer-size= check? debug dictionary-order field-separator= general-numeric-sort human-numeric-sort ignore-case ignore-leading-blanks ignore-nonprinting key= merge month-sort numeric-sort parallel= random-sort reverse sort= stable unique version-sort zero-terminated',
    operands: 'paths',
  }),
  // The second operand is written.
  uniq: reads({
    flags: 'cdDiuz',
    valued: 'fsw',
    long: 'all-repeated? check-chars= count group? ignore-case repeated skip-chars= skip-fields= unique zero-terminated',
    operands: 'paths',
    maxOperands: 1,
  }),
  column: reads({
    flags: 'eLntx',
    valued: 'cHNRsoTOEW',
    long: 'fillrows output-separator= output-width= separator= table table-columns= table-right=',
    operands: 'paths',
  }),
  fold: reads({
    anyOption: true,
    flags: 'bs',
    valued: 'w',
    long: 'bytes spaces width=',
    counts: true,
    operands: 'paths',
  }),
  fmt: reads({
    flags: 'cstu',
    valued: 'gpw',
    long: 'crown-margin goal= prefix= split-only tagged-paragraph uniform-spacing width=',
    counts: true,
    operands: 'paths',
  }),
  expand: reads({ flags: 'i', valued: 't', long: 'initial tabs=', counts: true, operands: 'paths' }),
  unexpand: reads({ flags: 'a', valued: 't', long: 'all first-only tabs=', counts: true, operands: 'paths' }),
  rev: reads({ anyOption: true, operands: 'paths' }),
  tac: reads({ anyOption: true, flags: 'br', valued: 's', long: 'before regex separator=', operands: 'paths' }),
  od: reads({
    flags: 'abcdfiloxsv',
    valued: 'AjNStw',
    long: 'address-radix= endian= format= output-duplicates read-bytes= skip-bytes= strings? width?',
    operands: 'paths',
  }),
  hexdump: reads({ flags: 'bcCdovx', valued: 'ens', operands: 'paths' }),
  // The second operand is written, and so is with -r. -ps is one option.
  xxd: reads({ isUnbundled: true, flags: 'abeEipuv', valued: 'cglos', operands: 'paths', maxOperands: 1 }),
  // `@file` stands for the words in that file.
  strings: reads({
    check: ({ operands }) =>
      operands.every(({ text, isGlob }) => !/^@/.test(text ?? '') && !(isGlob && /^[*?[]/.test(text ?? ''))),
    flags: 'afhow',
    valued: 'ents',
    long: 'all bytes= encoding= print-file-name radix=',
    operands: 'paths',
  }),
  base64: reads({ flags: 'd', valued: 'w', long: 'decode ignore-garbage wrap=', operands: 'paths', maxOperands: 1 }),
  numfmt: reads({
    valued: 'd',
    long: 'from= from-unit= to= to-unit= field= format= grouping header? padding= round= suffix= invalid=',
    operands: 'texts',
  }),
  // Not -f and -L (read filters from files), --rawfile and --slurpfile (read files of their own).
  jq: reads({
    flags: 'acCejMnrRsSV',
    long: 'ascii-output color-output compact-output exit-status indent= join-output monochrome-output null-input raw-input raw-output seq slurp sort-keys stream tab unbuffered',
    operands: 'pattern',
    check: ({ operands: [filter] }) => filter === undefined || (!filter.isGlob && isPlainFilter(filter.text ?? '')),
  }),
  sed: (args) => {
    const given = takeApart(args, {
      flags: 'nErsuz',
      valued: 'e',
      long: 'expression= line-length= null-data posix quiet regexp-extended separate silent unbuffered',
    });
    if (!given) return undefined;
    const scripts = given.options.flatMap(([name, value]) => (name === 'e' || name === 'expression' ? [value] : []));
    const [first, ...rest] = given.operands;
    const files = scripts.length > 0 ? given.operands : rest;
    const all = scripts.length > 0 ? scripts : [first?.isGlob === false ? (first.text ?? 'w') : 'w'];
    return all.every(onlyPrints) ? files.filter(({ text }) => text !== '-').map((word) => readOf(word)) : undefined;
  },
};

/** Shows no variables of the environment and loads no other filters. */
function isPlainFilter(filter: string): boolean {
  return !/\$ENV|\benv\b|\b(?:import|include|modulemeta|get_search_list)\b/.test(filter);
}

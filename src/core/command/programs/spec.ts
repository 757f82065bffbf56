// How it is told from a program's arguments that it only reads: options that are known, and what the others name.
import type { Touched } from '../types';
import type { Word } from '../words';

/** What a call reads, by its arguments. */
export type Reads = readonly Touched[];
/** Undefined: it does more than read, or nobody can tell. */
export type Judge = (args: readonly Word[]) => Reads | undefined;

export interface Spec {
  /** Options of one letter without a value. */
  readonly flags?: string;
  /** Options of one letter with a value, in the same word or the next. */
  readonly valued?: string;
  /** Each option of one letter is a word of its own, and so is its value, a number aside: what comes after the letter would be taken for something else. */
  readonly isUnbundled?: boolean;
  /** Long options, blank between them: `name` alone, `name=` with a value, `name?` with a value only after `=`. No abbreviations: one could stand for another. */
  readonly long?: string;
  /** `-20` is an option. */
  readonly counts?: boolean;
  /** What stands beside the options. `pattern`: a text first, unless an option of `patternOptions` gives it, then paths. */
  readonly operands: 'none' | 'texts' | 'paths' | 'pattern';
  readonly patternOptions?: readonly string[];
  readonly maxOperands?: number;
  /** None of the program's options, known here or not, does more than read: a file that is named like one may come out of a glob. */
  readonly anyOption?: boolean;
  /** Options that make it read whole folders. */
  readonly deep?: readonly string[] | 'always';
  /** It shows names of what lies in folders, unless one of these options is given, and nothing of what is in files. */
  readonly listsUnless?: readonly string[];
  /** Without one of these, what is ignored is left out of folders. */
  readonly unignoring?: readonly string[];
  /** Options with which links in folders are followed. */
  readonly following?: readonly string[] | 'always';
  /** Options that name the only files of a folder that are read; none of `except` may be given beside them. */
  readonly including?: readonly string[];
  readonly except?: readonly string[];
  /** A last look: false when these together do more than read. */
  readonly check?: (given: Given) => boolean;
}

export interface Given {
  /** Names without dashes, with values, in order. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly Word[];
  /** Values of options that are patterns of the shell: the first word that they stand for is the value, the others are operands. */
  readonly spread: readonly Word[];
}

export function reads(spec: Spec): Judge {
  return (args) => {
    const given = takeApart(args, spec);
    if (!given || given.operands.length > (spec.maxOperands ?? Infinity)) return undefined;
    // A glob may stand for one operand more, which would be written to.
    if (spec.maxOperands !== undefined && given.operands.some(({ isGlob }) => isGlob)) return undefined;
    if (spec.check && !spec.check(given)) return undefined;
    return touchedBy(given, spec);
  };
}

/** Undefined where an option is not known. A word that begins with a glob may become an option, so it is taken for one. */
export function takeApart(
  args: readonly Word[],
  spec: Pick<Spec, 'flags' | 'valued' | 'long' | 'counts' | 'anyOption' | 'isUnbundled'>,
): Given | undefined {
  const long = longOptions(spec.long ?? '');
  const options: [string, string][] = [];
  const operands: Word[] = [];
  const spread: Word[] = [];
  /** Undefined where there is none, or where the other words that it stands for may be options that do more than read. */
  const valueOf = (word: Word | undefined): string | undefined => {
    if (word?.isGlob !== true) return word?.text;
    spread.push(word);
    return spec.anyOption ? word.text : undefined;
  };
  const isCounted = (text: string) => spec.counts === true && /^-\d+$/.test(text);
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    const text = word?.text;
    if (word === undefined || text === undefined || (!spec.anyOption && word.isGlob && /^[*?[]/.test(text)))
      return undefined;
    if (text === '--') {
      operands.push(...args.slice(at + 1));
      return operands.every((rest) => rest.text !== undefined) ? { options, operands, spread } : undefined;
    }
    if (text === '-' || !text.startsWith('-')) {
      operands.push(word);
      continue;
    }
    if (word.isGlob && !text.includes('=')) return undefined;
    if (isCounted(text)) continue;
    if (text.startsWith('--')) {
      const [name = '', value] = splitOnce(text.slice(2), '=');
      const kind = long.get(name);
      if (kind === undefined || (kind === '' && value !== undefined)) return undefined;
      if (kind === '=' && value === undefined) {
        const next = valueOf(args[++at]);
        if (next === undefined) return undefined;
        options.push([name, next]);
      } else options.push([name, value ?? '']);
      continue;
    }
    if (spec.isUnbundled && text.length > 2 && !/^-[A-Za-z]\d+$/.test(text)) return undefined;
    for (let letter = 1; letter < text.length; letter++) {
      const name = text[letter] ?? '';
      if (spec.valued?.includes(name)) {
        const rest = text.slice(letter + 1);
        const value = rest === '' ? valueOf(args[++at]) : rest;
        if (value === undefined) return undefined;
        options.push([name, value]);
        break;
      }
      if (!spec.flags?.includes(name)) return undefined;
      options.push([name, '']);
    }
  }
  return { options, operands, spread };
}

const LONG = new Map<string, ReadonlyMap<string, string>>();

function longOptions(text: string): ReadonlyMap<string, string> {
  const known = LONG.get(text);
  if (known) return known;
  const made = new Map(
    [...text.split(' '), 'help', 'version'].flatMap((option) => {
      const [, name = '', kind = ''] = /^([\w-]+)([=?]?)$/.exec(option) ?? [];
      return name === '' ? [] : [[name, kind] as const];
    }),
  );
  LONG.set(text, made);
  return made;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function touchedBy({ options, operands, spread }: Given, spec: Spec): Reads | undefined {
  if (spec.operands === 'none') return operands.length === 0 ? [] : undefined;
  if (spec.operands === 'texts') return [];
  const hasPattern = spec.operands === 'pattern' && !options.some(([name]) => spec.patternOptions?.includes(name));
  // What stands for several words shifts the others: what was written first may be a path.
  const isShifted = spread.length > 0 || operands[0]?.isGlob === true;
  const paths = [...spread, ...operands.slice(hasPattern && !isShifted ? 1 : 0)];
  const depth = depthOf(options, spec);
  if ((depth.isDeep || depth.onlyNamed) && paths.length === 0) {
    const readsInput = spec.deep === 'always' && !depth.onlyNamed;
    return [{ op: 'read', path: '.', ...depth, ...(readsInput ? { isWithoutInput: true } : {}) }];
  }
  return paths.filter(({ text }) => text !== '-').map((word) => readOf(word, depth));
}

type Depth = Pick<Touched, 'isDeep' | 'onlyNamed' | 'keepsIgnored' | 'followsLinks' | 'onlyNames'>;

function depthOf(options: Given['options'], spec: Spec): Depth {
  const isGiven = (names: readonly string[] | 'always' = []) =>
    names === 'always' || options.some(([name]) => names.includes(name));
  if (spec.listsUnless) {
    if (isGiven(spec.listsUnless)) return {};
    return { onlyNamed: true, ...(isGiven(spec.deep) ? { isDeep: true } : {}) };
  }
  if (!isGiven(spec.deep)) return {};
  // A pattern that excludes takes away from the others.
  const included = options.flatMap(([name, value]) => (spec.including?.includes(name) ? [value] : []));
  const onlyNames = included.filter((pattern) => !pattern.startsWith('!'));
  // What is named so is read although it is ignored, or hidden.
  const isNaming = onlyNames.length > 0 || isGiven(spec.except);
  return {
    isDeep: true,
    ...(spec.unignoring && !isGiven(spec.unignoring) && !isNaming ? { keepsIgnored: true } : {}),
    ...(isGiven(spec.following) ? { followsLinks: true } : {}),
    ...(onlyNames.length > 0 && !isGiven(spec.except) ? { onlyNames } : {}),
  };
}

/** A path that is read. */
export function readOf({ text = '', isGlob }: Word, depth: Depth = {}): Touched {
  return { op: 'read', path: text, ...(isGlob ? { isGlob } : {}), ...depth };
}

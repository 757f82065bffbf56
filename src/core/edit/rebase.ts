// Puts lines that the model wrote into the file's form: as deep as they stand there, in its typography.
import type { Alignment } from './align';
import { isBlank, QUOTES, trimBlanks, TYPOGRAPHY } from './fold';
import { indentOf } from './indent';
import { pairsOf, type Indentation, type LinePair } from './pairs';
import type { Search } from './search';

export interface Mover {
  /** The new line as it has to stand; undefined when that is not certain. */
  readonly place: (newLine: string, newAt: number) => string | undefined;
  /** Whether the model moved a line in or out that it kept otherwise. */
  readonly isMoved: (oldLine: string, newLine: string, fileLine: string) => boolean;
  /** The typography that the file has and the model had not. */
  readonly restyle: (line: string) => string;
}

/** Undefined when it is unclear whether the new text stands as deep as the old one or already as deep as the file. */
export function moverFor(search: Search, alignment: Alignment, { map, first }: Indentation): Mover | undefined {
  const pairs = pairsOf(search, alignment);
  const { new: fresh } = search.block();
  const lone = loneDepth(fresh, pairs);
  const coordinates = lone === 'only first' ? 'file' : (lone ?? coordinatesOf(fresh, pairs));
  if (coordinates === 'unclear') return undefined;
  const isForFile = coordinates === 'file';
  const restyle = restyleFor(pairs);
  const firstNew = fresh.findIndex((line) => !isBlank(line));
  const exception = lone === 'only first' ? depthOf(pairs) : first;
  const place = (line: string, newAt: number) => {
    if (isBlank(line)) return '';
    const indent = indentOf(line);
    const body = restyle(line.slice(indent.length));
    if (exception && newAt === firstNew && indent === exception.old) return exception.file + body;
    if (isForFile) return indent + body;
    const mapped = map(indent);
    return mapped === undefined ? undefined : mapped + body;
  };
  const isMoved = (oldLine: string, newLine: string, fileLine: string) =>
    indentOf(newLine) !== indentOf(isForFile && lone !== 'only first' ? fileLine : oldLine);
  return { place, isMoved, restyle };
}

function depthOf(pairs: readonly LinePair[]): LinePair | undefined {
  const [only] = pairs;
  return only && { old: indentOf(only.old), file: indentOf(only.file) };
}

/** Line ends below which a block goes deeper, and those below which it may. */
const OPENS_BLOCK = /[{([:=|\\]\s*$|\b(do|then|else|begin)\s*$/;
const MAY_OPEN_BLOCK = /[,>]\s*$/;

/**
 * One line without its indentation does not say whether the new lines below it lack theirs too. Where all of these are
 * indented, it was only the first one that lost it, unless they are the block that it opens.
 */
function loneDepth(fresh: readonly string[], pairs: readonly LinePair[]): 'only first' | 'old' | 'unclear' | undefined {
  const depth = depthOf(pairs);
  if (pairs.length !== 1 || depth?.old !== '' || depth.file === '') return undefined;
  const [head = '', ...others] = fresh.filter((line) => !isBlank(line));
  const outermost = outermostIndent(others);
  if (others.length === 0 || indentOf(head) !== '' || outermost === 0) return undefined;
  if (OPENS_BLOCK.test(head)) return outermost > depth.file.length ? 'only first' : 'old';
  return MAY_OPEN_BLOCK.test(head) ? 'unclear' : 'only first';
}

/**
 * Either where nothing was moved. By the lines that the new text keeps, and where there are none or they disagree, since some were moved in or out on
 * purpose, by its outermost line.
 */
function coordinatesOf(fresh: readonly string[], pairs: readonly LinePair[]): 'old' | 'file' | 'unclear' {
  if (pairs.every(({ old, file }) => indentOf(old) === indentOf(file))) return 'old';
  const indents = new Map<string, Set<string>>();
  for (const line of fresh) {
    const known = indents.get(trimBlanks(line));
    if (known) known.add(indentOf(line));
    else indents.set(trimBlanks(line), new Set([indentOf(line)]));
  }
  const votes = pairs.flatMap((pair) => {
    const [old, file] = [indentOf(pair.old), indentOf(pair.file)];
    const found = indents.get(trimBlanks(pair.old));
    // A line that stands there twice, as deep as either, says nothing.
    if (old === file || !found || found.has(old) === found.has(file)) return [];
    return [found.has(old) ? ('old' as const) : ('file' as const)];
  });
  const outermost = outermostIndent(fresh);
  const [forOld, forFile] = [pairs.map(({ old }) => old), pairs.map(({ file }) => file)].map(outermostIndent);
  if (votes.length === 0) return outermost === forFile && forFile !== forOld ? 'file' : 'old';
  if (!votes.includes('file')) return 'old';
  if (!votes.includes('old')) return 'file';
  if (outermost === forOld) return 'old';
  return outermost === forFile ? 'file' : 'unclear';
}

function outermostIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
}

/** Typographic characters that the model put into the old text where the file has plain ones were put into the new one too. */
function restyleFor(pairs: readonly LinePair[]): (body: string) => string {
  const [old, file] = [pairs.map((pair) => pair.old).join('\n'), pairs.map((pair) => pair.file).join('\n')];
  const isOnlyOld = (typographic: RegExp) => old.search(typographic) !== -1 && file.search(typographic) === -1;
  // Who writes one kind of quotes curly writes the other so too.
  const hasCurled = QUOTES.some(isOnlyOld);
  const folds = TYPOGRAPHY.filter(
    ([typographic]) =>
      isOnlyOld(typographic) || (hasCurled && QUOTES.includes(typographic) && file.search(typographic) === -1),
  );
  const form = formOf(file);
  const isComposedOtherwise = form !== undefined && form !== formOf(old);
  return (body) => {
    const plain = folds.reduce((text, [typographic, replacement]) => text.replace(typographic, replacement), body);
    return isComposedOtherwise ? plain.normalize(form) : plain;
  };
}

function formOf(text: string): 'NFC' | 'NFD' | undefined {
  const [composed, decomposed] = [text.normalize('NFC'), text.normalize('NFD')];
  if (composed === decomposed) return undefined;
  if (text === composed) return 'NFC';
  return text === decomposed ? 'NFD' : undefined;
}

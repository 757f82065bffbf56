// Puts lines that the model wrote into the file's form: as deep as they stand there, in its typography.
import type { Alignment } from './align';
import { isBlank, trimBlanks, TYPOGRAPHY } from './fold';
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
  const coordinates = coordinatesOf(fresh, pairs);
  if (coordinates === 'unclear') return undefined;
  const isForFile = coordinates === 'file';
  const restyle = restyleFor(pairs);
  const firstNew = fresh.findIndex((line) => !isBlank(line));
  const place = (line: string, newAt: number) => {
    if (isBlank(line)) return '';
    const indent = indentOf(line);
    const body = restyle(line.slice(indent.length));
    if (isForFile) return indent + body;
    if (first && newAt === firstNew && indent === first.old) return first.file + body;
    const mapped = map(indent);
    return mapped === undefined ? undefined : mapped + body;
  };
  const isMoved = (oldLine: string, newLine: string, fileLine: string) =>
    indentOf(newLine) !== indentOf(isForFile ? fileLine : oldLine);
  return { place, isMoved, restyle };
}

/**
 * By the lines that the new text keeps, and where they disagree, since some were moved in or out on purpose, by its
 * outermost line.
 */
function coordinatesOf(fresh: readonly string[], pairs: readonly LinePair[]): 'old' | 'file' | 'unclear' {
  const indents = new Map(fresh.map((line) => [trimBlanks(line), indentOf(line)]));
  const votes = pairs.flatMap((pair) => {
    const [old, file] = [indentOf(pair.old), indentOf(pair.file)];
    const indent = indents.get(trimBlanks(pair.old));
    if (old === file || (indent !== old && indent !== file)) return [];
    return [indent === old ? ('old' as const) : ('file' as const)];
  });
  if (!votes.includes('file')) return 'old';
  if (!votes.includes('old')) return 'file';
  const outermost = outermostIndent(fresh);
  if (outermost === outermostIndent(pairs.map(({ old }) => old))) return 'old';
  return outermost === outermostIndent(pairs.map(({ file }) => file)) ? 'file' : 'unclear';
}

function outermostIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
}

/** Typographic characters that the model put into the old text where the file has plain ones were put into the new one too. */
function restyleFor(pairs: readonly LinePair[]): (body: string) => string {
  const [old, file] = [pairs.map((pair) => pair.old).join('\n'), pairs.map((pair) => pair.file).join('\n')];
  const folds = TYPOGRAPHY.filter(([typographic]) => old.search(typographic) !== -1 && file.search(typographic) === -1);
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

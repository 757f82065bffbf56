// An alignment as pairs of lines, one of the model's beside one of the file's, and the rule for indentation they follow.
import type { Alignment } from './align';
import { isBlank } from './fold';
import { indentMap, indentOf, type IndentMap } from './indent';
import type { Search } from './search';

export interface LinePair {
  readonly old: string;
  readonly file: string;
}

/** Without blank lines. Of lines that were joined or broken, the first on each side. */
export function pairsOf({ block, fileLine }: Search, { segments }: Alignment): LinePair[] {
  const { old } = block();
  return segments
    .filter(({ isBlank }) => !isBlank)
    .map(({ oldFrom, fileFrom }) => ({ old: old[oldFrom] ?? '', file: fileLine(fileFrom) }));
}

/** One line for one, everywhere. */
export function isLineForLine({ segments }: Alignment): boolean {
  return segments.every(
    ({ isBlank, oldFrom, oldTo, fileFrom, fileTo }) => isBlank || (oldTo - oldFrom === 1 && fileTo - fileFrom === 1),
  );
}

/** As many blank lines between the lines; those at the edges count too unless they are left out. */
export function hasSameBlanks({ segments }: Alignment, edges: 'with edges' | 'without edges'): boolean {
  return segments.every((segment, at) => {
    const isEdge = at === 0 || at === segments.length - 1;
    if (!segment.isBlank || (isEdge && edges === 'without edges')) return true;
    return segment.oldTo - segment.oldFrom === segment.fileTo - segment.fileFrom;
  });
}

/** The model's indentation to the file's. `first` is the file's own for the first line where that line follows no rule. */
export interface Indentation {
  readonly map: IndentMap;
  readonly first?: LinePair;
}

/** Undefined when no single rule explains the lines. Models tend to drop the indentation of the first line: it may be an exception. */
export function indentationOf(pairs: readonly LinePair[]): Indentation | undefined {
  const indents = pairs
    .filter(({ old }) => !isBlank(old))
    .map(({ old, file }) => ({ old: indentOf(old), file: indentOf(file) }));
  const map = indentMap(indents);
  if (map) return { map };
  const rest = indents.length > 1 ? indentMap(indents.slice(1)) : undefined;
  const [first] = indents;
  return rest && first ? { map: rest, first } : undefined;
}

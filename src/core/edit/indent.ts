// How the indentation of an old text maps to that of the file: one rule for the whole block, or none at all.

/** Gives the file's indentation for one of the model's; undefined where the rule says nothing about it. */
export type IndentMap = (indent: string) => string | undefined;

export interface IndentPair {
  /** As the model wrote it. */
  readonly old: string;
  readonly file: string;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The one rule that explains every pair, the simplest first; undefined when there is none, so that nothing is guessed. */
export function indentMap(pairs: readonly IndentPair[]): IndentMap | undefined {
  return [same, deeper, shallower, spacesToTabs, tabsToSpaces]
    .map((rule) => rule(pairs))
    .find((map) => map !== undefined && pairs.every(({ old, file }) => map(old) === file));
}

type Rule = (pairs: readonly IndentPair[]) => IndentMap | undefined;

const same: Rule = () => (indent) => indent;

const deeper: Rule = ([first]) => {
  if (!first?.file.endsWith(first.old)) return undefined;
  const shift = first.file.slice(0, first.file.length - first.old.length);
  return (indent) => shift + indent;
};

const shallower: Rule = ([first]) => {
  if (!first?.old.endsWith(first.file)) return undefined;
  const shift = first.old.slice(0, first.old.length - first.file.length);
  return (indent) => (indent.startsWith(shift) ? indent.slice(shift.length) : undefined);
};

const spacesToTabs: Rule = (pairs) => {
  const width = tabWidth(pairs.map(({ old, file }) => ({ spaces: old, tabs: file })));
  if (width === undefined) return undefined;
  return (indent) =>
    indent.includes('\t') ? undefined : '\t'.repeat(indent.length / width) + ' '.repeat(indent.length % width);
};

const tabsToSpaces: Rule = (pairs) => {
  const width = tabWidth(pairs.map(({ old, file }) => ({ spaces: file, tabs: old })));
  if (width === undefined) return undefined;
  return (indent) => indent.replaceAll('\t', ' '.repeat(width));
};

/** Spaces per tab, from the first line that is indented at all. */
function tabWidth(pairs: readonly { readonly spaces: string; readonly tabs: string }[]): number | undefined {
  const first = pairs.find(({ tabs }) => tabs !== '');
  if (!first || /[^\t]/.test(first.tabs) || /[^ ]/.test(first.spaces)) return undefined;
  const width = first.spaces.length / first.tabs.length;
  return Number.isInteger(width) && width > 0 ? width : undefined;
}

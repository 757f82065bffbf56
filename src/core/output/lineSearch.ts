// Looks for a model's pattern in lines that are in no file: as a regular expression in linear time (S89), else as plain text.
import type { Host } from '../host';
import type { LineQuery, LinesFound } from '../search';

export type Searched = (LinesFound & { readonly isLiteral: boolean }) | { readonly problem: string };

/** `lines` is asked for anew for a second look. */
export async function searchLines(
  query: Omit<LineQuery, 'isLiteral'>,
  lines: () => AsyncIterable<string>,
  { host, signal }: { readonly host: Pick<Host, 'search'>; readonly signal: AbortSignal },
): Promise<Searched> {
  const asRegex = await host.search.lines({ ...query, isLiteral: false }, lines(), signal);
  if (!('problem' in asRegex)) return { ...asRegex, isLiteral: false };
  const asText = await host.search.lines({ ...query, isLiteral: true }, lines(), signal);
  return 'problem' in asText ? asText : { ...asText, isLiteral: true };
}

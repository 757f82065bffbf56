// What arrived of an input that is not whole, in words for the model.

const END_CHARS = 80;

export function arrivedText(raw: string): string {
  if (raw === '') return 'nothing of its input arrived';
  // Half a character would be no text.
  const end = raw.slice(-END_CHARS).replace(/^[\udc00-\udfff]/, '');
  const cut = end.length < raw.length ? '…' : '';
  return `${raw.length} ${raw.length === 1 ? 'character' : 'characters'} of its input arrived, ending in ${cut}${JSON.stringify(end)}`;
}

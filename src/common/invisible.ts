// Characters that show nothing by themselves, and the sequences in which they are part of what is seen all the same.

/** Emoji are joined by U+200D, and some flags are spelled with tags: those say what they look like. */
const JOINED_EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)+/u;
const FLAG =
  /\u{1f3f4}(\u{e0067}\u{e0062}(\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073}))\u{e007f}/gu;
/** U+200C and U+200D shape letters in Arabic and Indic scripts. */
const SHAPED =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Tamil}\p{Script=Sinhala}]\p{M}*)[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const SEQUENCE = new RegExp(`${JOINED_EMOJI.source}|${FLAG.source}|${SHAPED.source}`, 'gu');

/** `replace` gets what lies between such sequences; they stay. */
export function replaceBetweenSequences(text: string, replace: (part: string) => string): string {
  let replaced = '';
  let end = 0;
  for (const kept of text.matchAll(SEQUENCE)) {
    replaced += replace(text.slice(end, kept.index)) + kept[0];
    end = kept.index + kept[0].length;
  }
  return replaced + replace(text.slice(end));
}

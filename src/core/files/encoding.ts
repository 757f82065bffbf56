// What to do about bytes that are no valid text: a guess at their encoding, good enough to look at them, never to write them.

export interface GuessedText {
  readonly text: string;
  /** As people call it: "windows-1252". */
  readonly name: string;
  /** As the editor's setting has it: "windows1252". */
  readonly setting: string;
}

/** Of at most this much the encoding is guessed. */
const SAMPLE_BYTES = 64 * 1024;

/** Out of 100: what a guess at a few bytes gets for each encoding in which they happen to be letters. */
const CHANCE = 10;

export async function guessText(bytes: Uint8Array): Promise<GuessedText> {
  const { analyse } = await import('./charsets');
  const guesses = analyse(bytes.subarray(0, SAMPLE_BYTES))
    // These have been tried already, strictly.
    .filter(({ name, confidence }) => confidence > CHANCE && !/^(ASCII|UTF-)/i.test(name))
    .map(({ name }) => name);
  // The most common one, in which any bytes are text.
  for (const name of [...guesses, 'windows-1252']) {
    const text = decodeAs(bytes, name);
    if (text !== undefined) return { text, name, setting: SETTINGS[name] ?? name.toLowerCase().replace(/[-_]/g, '') };
  }
  throw new Error('windows-1252 has a character for every byte');
}

/** Where it is not the name without its signs. */
const SETTINGS: Readonly<Record<string, string>> = { Big5: 'cp950' };

function decodeAs(bytes: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

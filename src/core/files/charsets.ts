// Loads the guessing of encodings late: the package is CommonJS, of which a dynamic import gets no names.
import { analyse as analyseBytes } from 'chardet';

/** Best guess first; `confidence` out of 100. */
export function analyse(bytes: Uint8Array): readonly { readonly name: string; readonly confidence: number }[] {
  return analyseBytes(bytes);
}

// What went wrong, in words: anything can be thrown.

/** The message of an Error, else the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

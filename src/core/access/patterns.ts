// Git's ignore patterns, compiled; a module of its own, so that the package is loaded only where there is an ignore file.
import ignore from 'ignore';

/** `place`: relative, `/` between names, a folder with a `/` at its end. */
export function compilePatterns(text: string, options: { readonly foldsCase: boolean }): (place: string) => boolean {
  const patterns = ignore({ ignorecase: options.foldsCase, allowRelativePaths: true }).add(text);
  return (place) => patterns.ignores(place);
}

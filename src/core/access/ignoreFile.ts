// `.latheignore`: what the person hides from the agent, in Git's syntax, at the top of each workspace folder. It can only add.
import { isProblem, type Files, type Path, type Platform } from '../host';

export const IGNORE_FILE = '.latheignore';

const MAX_BYTES = 1024 * 1024;

/** What is hidden in one workspace folder. */
export interface IgnoreRules {
  /** `place`: relative to the folder, `/` between names. Whether a folder or a file is there is not asked: both are meant. */
  hides(place: string): boolean;
}

const EVERYTHING: IgnoreRules = { hides: () => true };

/** Undefined where there is none. Read anew each time, as it is in the editor, so that a change counts at once. */
export async function loadIgnoreRules(
  ignoreFile: Path,
  files: Pick<Files, 'stat' | 'text'>,
  platform: Platform,
): Promise<IgnoreRules | undefined> {
  const found = await files.stat(ignoreFile);
  if (!found) return undefined;
  const file = found.kind === 'file' ? await files.text(ignoreFile, MAX_BYTES) : undefined;
  // Something is there that cannot be read: it may hide anything.
  if (!file || isProblem(file)) return EVERYTHING;
  const key = `${platform.foldsCase} ${file.text}`;
  const rules = compiled.get(key) ?? (await compile(file.text, platform));
  compiled.clear();
  compiled.set(key, rules);
  return rules;
}

/** The last one: most often there is one, looked at by every call. */
const compiled = new Map<string, IgnoreRules>();

async function compile(text: string, { foldsCase }: Platform): Promise<IgnoreRules> {
  const { compilePatterns } = await import('./patterns');
  const ignores = compilePatterns(fold(text), { foldsCase });
  return {
    hides(place) {
      if (place === '.') return false;
      const folded = fold(place);
      return ignores(folded) || ignores(`${folded}/`);
    },
  };
}

/** One spelling of letters that are composed; the case is left to the patterns. */
function fold(text: string): string {
  return text.normalize('NFC');
}

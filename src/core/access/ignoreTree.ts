// Which paths the ignore files of the workspace hide. Only the files on the way to a path are read, each once.
import { contains, placeIn, styleOf } from '../files/names';
import type { Host, Path, Platform } from '../host';
import { IGNORE_FILE, patternsFromTop, readIgnoreFile } from './ignoreFile';

type TreeHost = Pick<Host, 'roots' | 'platform' | 'files'>;

/** What holds in one folder of the workspace, for what lies in it. */
interface Rules {
  /** `place`: relative to the top, `/` between names. Whether a folder or a file is there is not asked: both are meant. */
  readonly hides: (place: string) => boolean;
  /** Of all files from the top down. */
  readonly patterns: string;
  /** A file from the top down to here says something. */
  readonly isAny: boolean;
  /** The file that nobody can make sense of, and why. */
  readonly fault?: string;
}

const NOTHING: Rules = { hides: () => false, patterns: '', isAny: false };

/** Held state of one look at the workspace: it is to be dropped with the call that it was made for. */
export class IgnoreTree {
  /** By folder, for each top that it is looked at from. */
  private readonly known = new Map<string, Rules | Promise<Rules>>();
  private tops: Promise<readonly Path[]> | undefined;
  private lookedUp: readonly Path[] | undefined;
  private readonly found = new Set<string>();

  constructor(private readonly host: TreeHost) {}

  /** Whether one of these forms of a path is hidden in a workspace folder that holds it. At once where its folder is known. */
  hides(forms: readonly Path[]): boolean | Promise<boolean> {
    const at = this.rulesAt(forms);
    return Array.isArray(at) ? at.some(isHiding) : at.then((all) => all.some(isHiding));
  }

  /** Why nobody can tell what is hidden where the path lies; undefined where that can be told. */
  async faultAt(forms: readonly Path[]): Promise<string | undefined> {
    return (await this.rulesAt(forms)).find(({ rules }) => rules.fault !== undefined)?.rules.fault;
  }

  /** Whether anything is hidden by the files above a folder and in it. */
  async isAnyIn(folder: Path): Promise<boolean> {
    const inside = styleOf(this.host.platform).join(folder, IGNORE_FILE);
    return (await this.rulesAt([folder, inside])).some(({ rules }) => rules.isAny);
  }

  /** The files that could not be made sense of so far, and why. */
  faults(): readonly string[] {
    return [...this.found];
  }

  private rulesAt(forms: readonly Path[]): Placed[] | Promise<Placed[]> {
    const tops = this.lookedUp;
    if (!tops) return this.topsOf().then(async () => this.rulesAt(forms));
    const { platform } = this.host;
    const pending: (Placed | Promise<Placed>)[] = [];
    for (const top of tops) {
      for (const form of forms) {
        if (!contains(top, form, platform)) continue;
        const place = placeIn(top, form, platform);
        const folder = place === '.' ? top : styleOf(platform).dirname(form);
        const rules = this.rulesIn(folder, top);
        pending.push(rules instanceof Promise ? rules.then((known) => ({ place, rules: known })) : { place, rules });
      }
    }
    const isKnown = !pending.some((one) => one instanceof Promise);
    return isKnown ? (pending as Placed[]) : Promise.all(pending.map(async (one) => one));
  }

  private async topsOf(): Promise<void> {
    this.tops ??= Promise.all(
      this.host.roots().map(async ({ path }) => [path, await this.host.files.realPath(path)]),
    ).then((all) => [...new Set(all.flat())]);
    this.lookedUp = await this.tops;
  }

  private rulesIn(folder: Path, top: Path): Rules | Promise<Rules> {
    const key = `${top}\0${folder}`;
    const known = this.known.get(key);
    if (known) return known;
    const reading = this.read(folder, top).then((rules) => {
      this.known.set(key, rules);
      return rules;
    });
    this.known.set(key, reading);
    return reading;
  }

  private async read(folder: Path, top: Path): Promise<Rules> {
    const { files, platform } = this.host;
    const place = placeIn(top, folder, platform);
    const isTop = place === '.' || !contains(top, folder, platform);
    const above = isTop ? NOTHING : await this.rulesIn(styleOf(platform).dirname(folder), top);
    // Nothing in there can open what is closed here, and what its own file says is hidden too.
    if (!isTop && above.hides(place)) return above.fault === undefined ? { ...above, hides: () => true } : above;
    const own = await readIgnoreFile(folder, files, platform);
    if (!own) return above;
    if ('fault' in own) {
      const fault = `${isTop ? '' : `${place}/`}${IGNORE_FILE} (${own.fault})`;
      this.found.add(fault);
      return { ...above, hides: () => true, isAny: true, fault };
    }
    const patterns = `${above.patterns}\n${patternsFromTop(own.text, isTop ? '' : place)}`;
    return { hides: await compiled(patterns, platform), patterns, isAny: true };
  }
}

interface Placed {
  readonly place: string;
  readonly rules: Rules;
}

/** The top itself is hidden only where nobody can tell what is hidden in it. */
function isHiding({ place, rules }: Placed): boolean {
  return place === '.' ? rules.fault !== undefined : rules.hides(place);
}

/** The last ones used: most often there is one file, looked at by every call. */
const compiledBefore = new Map<string, Rules['hides']>();
const COMPILED_KEPT = 50;

async function compiled(text: string, { foldsCase }: Platform): Promise<Rules['hides']> {
  const key = `${foldsCase} ${text}`;
  const before = compiledBefore.get(key);
  if (before) return before;
  const { compilePatterns } = await import('./patterns');
  const ignores = compilePatterns(fold(text), { foldsCase });
  const hides = (place: string): boolean => {
    const folded = fold(place);
    return ignores(folded) || ignores(`${folded}/`);
  };
  const [oldest] = compiledBefore.keys();
  if (oldest !== undefined && compiledBefore.size >= COMPILED_KEPT) compiledBefore.delete(oldest);
  compiledBefore.set(key, hides);
  return hides;
}

/** One spelling of letters that are composed; the case is left to the patterns. */
function fold(text: string): string {
  return text.normalize('NFC');
}

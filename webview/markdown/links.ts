// Where a link of a model's text may lead: the web and mail, after a look at the target, or a file. Everything else stays text.

export type LinkTarget =
  | {
      readonly kind: 'web';
      readonly url: string;
      /** What a person should see of it: the host, or the address. */ readonly place: string;
    }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number };

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const WINDOWS_PATH = /^[a-z]:[\\/]/i;
const FILE_LINE = /^(.+?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?::\d+|-\d+)?)?$/;
const HOST_LIKE = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** Undefined for what must not be opened: other schemes, other machines, places within a page. */
export function parseLink(href: string): LinkTarget | undefined {
  const target = href.trim();
  if (target === '' || /[\p{Cc}\p{Cf}]/u.test(target)) return undefined;
  if (/^(https?|mailto):/i.test(target)) return parseWeb(target);
  if (target.startsWith('#') || target.startsWith('?') || /^[\\/]{2}/.test(target)) return undefined;
  // `src/a.ts:12` has no scheme, but `a.ts:12` looks as if it had one: only digits may follow then.
  const isPath = !SCHEME.test(target) || WINDOWS_PATH.test(target) || /^[^/\\:]+\.\w+:\d+(?:[:-]\d+)?$/.test(target);
  return isPath ? parseFile(target) : undefined;
}

function parseWeb(href: string): LinkTarget | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol === 'mailto:') return { kind: 'web', url: url.href, place: decode(url.pathname) };
  // `https://good.example@evil.example`: what comes before the @ is there to be misread.
  return url.username || url.password || !url.host ? undefined : { kind: 'web', url: url.href, place: url.host };
}

function parseFile(target: string): LinkTarget | undefined {
  const [, path = '', fragmentLine, colonLine] = FILE_LINE.exec(target) ?? [];
  const line = Number(fragmentLine ?? colonLine);
  const decoded = decode(path);
  if (decoded === '' || /^[\\/]{2}/.test(decoded)) return undefined;
  return line > 0 ? { kind: 'file', path: decoded, line } : { kind: 'file', path: decoded };
}

/** A label that names no place, or another one than the link leads to, needs the target beside it. */
export function needsPlace(label: string, place: string): boolean {
  const named = label.toLowerCase().match(HOST_LIKE) ?? [];
  const plain = place.toLowerCase();
  return label.trim().toLowerCase() !== plain && !(named.length > 0 && named[0] === plain);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

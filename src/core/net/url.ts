// What the agent may fetch: an address is judged before anything is sent, and what was judged is what is connected to.
import { messageOf } from '../../common/errors';
import { hidesCharacters } from '../permission/protected';
import { isAddress, isPublicAddress } from './address';
import { coversHost, hostOf } from './domain';

/** All addresses of a name, as a resolver gives them; rejects when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface UrlContext {
  readonly lookup: Lookup;
  /** Patterns of hosts that a person has allowed, such as `domain:example.com`. */
  readonly rules: readonly string[];
  /** Which addresses count as public; by default those of the public internet. */
  readonly isPublic?: (address: string) => boolean;
}

/** Where to connect: the address that was judged, whatever the name resolves to later (S72). */
export interface Pinned {
  /** As it is to be requested: https, without fragment. */
  readonly url: string;
  readonly address: string;
}

export type UrlVerdict =
  | ({ readonly effect: 'allow' } & Pinned)
  /** Nothing was resolved: a lookup alone can carry data away. `pin` comes after the answer. */
  | { readonly effect: 'ask'; readonly url: string; readonly reasons: readonly string[] }
  /** For the model. */
  | { readonly effect: 'deny'; readonly because: string };

type Denied = Extract<UrlVerdict, { effect: 'deny' }>;

export async function judgeUrl(written: string, context: UrlContext): Promise<UrlVerdict> {
  const named = nameUrl(written, context);
  if ('effect' in named) return named;
  const { url, host } = named;
  const reasons = [
    ...(context.rules.some((rule) => coversHost(rule, host)) ? [] : [`Reaches ${host}`]),
    ...(url.port === '' ? [] : [`Uses the unusual port ${url.port} of ${host}`]),
  ];
  if (reasons.length > 0) return { effect: 'ask', url: url.href, reasons };
  return pin(url.href, context);
}

/** Resolves once, after a person or a rule has allowed it; every address of the name has to be public. */
export async function pin(
  url: string,
  context: Omit<UrlContext, 'rules'>,
): Promise<({ readonly effect: 'allow' } & Pinned) | Denied> {
  const named = nameUrl(url, context);
  if ('effect' in named) return named;
  const { host } = named;
  const found = isAddress(host) ? [host.replace(/^\[|\]$/g, '')] : await resolve(host, context.lookup);
  if ('effect' in found) return found;
  const isPublic = context.isPublic ?? isPublicAddress;
  const hidden = found.find((address) => !isPublic(address));
  if (hidden !== undefined) return deny(`${host} leads to ${hidden}, which is not on the public internet.`);
  const [address] = found;
  if (address === undefined) return deny(`${host} has no address.`);
  return { effect: 'allow', url: named.url.href, address };
}

/** Source: [S71]. */
const MAX_REDIRECTS = 5;

/**
 * Where an answer sends on to: on the same host it is followed, to the address that is known already. Another host is told and
 * not followed, since whoever allowed this one has not allowed that. `count`: how many came before.
 */
export function followRedirect(
  from: Pinned,
  location: string,
  context: Omit<UrlContext, 'rules' | 'lookup'> & { readonly count: number },
): UrlVerdict {
  if (context.count >= MAX_REDIRECTS) return deny(`It redirects more than ${MAX_REDIRECTS} times.`);
  if (!URL.canParse(location, from.url)) return deny('It redirects to what is no address.');
  const named = nameUrl(new URL(location, from.url).href, context);
  if ('effect' in named) return { ...named, because: `It redirects elsewhere. ${named.because}` };
  const { url, host } = named;
  if (host !== hostOf(from.url)) {
    return { effect: 'ask', url: url.href, reasons: [`It redirects to ${url.href}, which was not followed`] };
  }
  if (url.port !== new URL(from.url).port) {
    return {
      effect: 'ask',
      url: url.href,
      reasons: [`It redirects to the unusual port ${url.port || '443'} of ${host}`],
    };
  }
  return { effect: 'allow', url: url.href, address: from.address };
}

/** Names that stand for the machine, its network or its cloud wherever they are resolved. */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|onion|home\.arpa)$/;

/** Pure: everything that can be told without a lookup (S70, S73, S74). */
function nameUrl(
  written: string,
  { isPublic = isPublicAddress }: Pick<UrlContext, 'isPublic'>,
): { readonly url: URL; readonly host: string } | Denied {
  if (hidesCharacters(written) || written.includes('\\')) {
    return deny('The address holds characters that hide where it leads. Write it plainly.');
  }
  const host = hostOf(written);
  if (host === undefined) return deny('That is no address. Give a whole one, such as https://example.com/page.');
  const url = new URL(written);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return deny(`Only https addresses are fetched, not ${url.protocol}.`);
  }
  if (url.username !== '' || url.password !== '') return deny('An address must not hold a user name or a password.');
  if (host === '' || host.startsWith('.') || host.endsWith('.')) return deny('The address names no host.');
  // A name without its last dot is the same name, and so what is shown, judged and connected to.
  url.hostname = host;
  url.hash = '';
  url.protocol = 'https:';
  if (isAddress(host)) {
    return isPublic(host.replace(/^\[|\]$/g, '')) ? { url, host } : deny(`${host} is not on the public internet.`);
  }
  if (!host.includes('.') || PRIVATE_NAME.test(host)) return deny(`${host} is a name of a local network.`);
  return { url, host };
}

async function resolve(host: string, lookup: Lookup): Promise<readonly string[] | Denied> {
  try {
    return await lookup(host);
  } catch (error) {
    return deny(`${host} could not be found: ${messageOf(error)}`);
  }
}

function deny(because: string): Denied {
  return { effect: 'deny', because };
}

// Which network addresses belong to the public internet: what else there is may be the person's machine, network or cloud.
import ipaddr from 'ipaddr.js';

/** Whether it is an address, not a name; brackets around IPv6 as in a URL. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(bare(host));
}

/**
 * Global unicast only. An IPv4 address inside of an IPv6 one, mapped or by NAT64, is judged as what it is; tunnels (6to4,
 * Teredo) lead wherever they like and are never public. False for what is no address (S70).
 */
export function isPublicAddress(host: string): boolean {
  const text = bare(host);
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const v6 = address as ipaddr.IPv6;
  const inner = v4Inside(v6);
  if (inner) return inner.range() === 'unicast';
  // What the registries have not given out is nobody's.
  return v6.range() === 'unicast' && v6.match(GLOBAL_UNICAST);
}

/** RFC 4291: 2000::/3. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 6052: the well-known prefix. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function v4Inside(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : undefined;
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

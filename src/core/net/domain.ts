// Rules about hosts: `domain:example.com` is that host alone, `domain:*.example.com` its subdomains alone, `domain:*` all.

/** Undefined when the text is no address. Lower case, without the dot that may end a name. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.toLowerCase().replace(/\.$/, '');
}

/** Whether a rule's pattern covers a host as `hostOf` gives it (S73). */
export function coversHost(pattern: string, host: string): boolean {
  const [, wild, name] = /^domain:(\*\.)?([^*]+)$/.exec(pattern.toLowerCase()) ?? [];
  if (name === undefined) return pattern === 'domain:*';
  return wild === undefined ? host === name : host.endsWith(`.${name}`);
}

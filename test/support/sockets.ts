// The ports that this process listens on, as the system tells them.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** Local addresses in the system's own writing, sorted. Linux only. */
export function listeningPorts(): readonly string[] {
  const own = new Set(readdirSync('/proc/self/fd').flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(fd))?.[1] ?? []));
  return ['tcp', 'tcp6', 'udp', 'udp6']
    .flatMap((kind) => {
      const lines = readFileSync(`/proc/self/net/${kind}`, 'utf8').split('\n').slice(1);
      return lines.map((line) => ({ kind, fields: line.trim().split(/\s+/) }));
    })
    .filter(({ kind, fields }) => own.has(fields[9] ?? '') && (kind.startsWith('udp') || fields[3] === LISTENING))
    .map(({ kind, fields }) => `${kind} ${fields[1]}`)
    .sort();
}

/** One that was closed meanwhile is none. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

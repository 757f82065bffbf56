// Names the host that a process was started by, so that what a dead one left can be told from what a living one runs (R45).
import { readFileSync, readlinkSync } from 'node:fs';

/** Everything that a host starts carries its mark in the environment, also what leaves its group and session. */
export const HOST_MARKER = 'LATHE_HOST';

export interface HostMark {
  readonly pid: number;
  /** On Linux clock ticks since the system started, elsewhere epoch seconds: ids are used again. */
  readonly started: number;
  /** Ids mean something in the same namespace only: a container counts its own. 0 where there are none. */
  readonly namespace: number;
}

/** As it stands in the environment; undefined where the environment of a process cannot be read again. */
export function ownMark(): string | undefined {
  if (process.platform === 'win32') return undefined;
  return (own ??= [process.pid, ownStart(), ownNamespace()].join(':'));
}

let own: string | undefined;

export function parseMark(written: string): HostMark | undefined {
  const [, pid, started, namespace] = /^(\d+):(\d+):(\d+)$/.exec(written) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), started: Number(started), namespace: Number(namespace) };
}

function ownStart(): number {
  if (process.platform !== 'linux') return Math.floor(performance.timeOrigin / 1000);
  return Number(fieldsOf(readFileSync('/proc/self/stat', 'latin1'))[STARTED]);
}

function ownNamespace(): number {
  if (process.platform !== 'linux') return 0;
  return Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 0);
}

/** Of /proc/PID/stat, from the state on: what comes before is a name that may hold anything, blanks and parentheses included. */
export function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Among those fields. */
export const STARTED = 19;

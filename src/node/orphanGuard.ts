// Ends what commands have started when the host itself is killed or crashes, and so cannot end it any more (R41).
import { spawn } from 'node:child_process';
import { HOST_MARKER, ownMark } from './hostMark';

export interface OrphanGuard {
  /** From now on the process group of this leader does not outlive the host. */
  add(leader: number): void;
  /** It has ended, and its number may become another's. */
  remove(leader: number): void;
  /** What the end of the host does: everything that is still guarded is ended. */
  end(): void;
}

/**
 * The pipe closes with the host, however that ends. What has left its group is found on Linux by the mark of the host; grep
 * itself runs without it.
 */
const SCRIPT = `trap '' HUP INT TERM
mark=$1
leaders=' '
while read -r what leader; do
  case $what in
    add) leaders="$leaders$leader " ;;
    remove) leaders="\${leaders%% $leader *} \${leaders#* $leader }" ;;
  esac
done
end() {
  for leader in $leaders; do kill -s "$1" -- "-$leader"; done
  [ -n "$mark" ] || return
  for file in $(grep -lzxF -- "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$1" -- "\${pid%/environ}"
  done
}
end TERM
sleep 2
end KILL`;

/** A small process beside the host that carries `mark`. Without a POSIX shell nothing is guarded. */
export function openOrphanGuard(mark: string | undefined): OrphanGuard {
  const carried = mark === undefined || process.platform !== 'linux' ? '' : `${HOST_MARKER}=${mark}`;
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'lathe-guard', carried], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/run/current-system/sw/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { stdin } = guard;
  guard.on('error', () => undefined);
  stdin.on('error', () => undefined);
  // Neither it nor the pipe keeps the host alive.
  guard.unref();
  (stdin as unknown as { unref(): void }).unref();
  return {
    add: (leader) => void stdin.write(`add ${leader}\n`),
    remove: (leader) => void stdin.write(`remove ${leader}\n`),
    end: () => void stdin.end(),
  };
}

let shared: OrphanGuard | undefined;

/** The host's only one, started with its first command; none on Windows. */
export function orphanGuard(): OrphanGuard | undefined {
  if (process.platform === 'win32') return undefined;
  return (shared ??= openOrphanGuard(ownMark()));
}

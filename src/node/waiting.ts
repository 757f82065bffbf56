// Guesses whether a run in a terminal waits for somebody to type, so that the person is told. Nothing is decided by it.
import { readFile, readlink } from 'node:fs/promises';
import type { ProcessTree } from './processTree';

/** A program that works is seldom quiet for as long and reads its terminal too. */
const QUIET_MS = 2_000;
const LINE_MAX_CHARS = 200;

export interface WaitingWatch {
  start(tree: ProcessTree): void;
  wrote(bytes: Uint8Array): void;
  stop(): void;
}

/** `tell` is called when the guess changes. */
export function watchForWaiting(terminal: string, tell: (isWaiting: boolean) => void): WaitingWatch {
  let timer: NodeJS.Timeout | undefined;
  let tree: ProcessTree | undefined;
  let line = '';
  let isWaiting = false;
  const judge = (found: boolean) => {
    if (found !== isWaiting) tell(found);
    isWaiting = found;
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const quiet = timer;
      void readsTerminal(tree, terminal).then((reads) => {
        if (timer !== quiet) return;
        judge(reads || looksLikePrompt(line));
        wait();
      });
    }, QUIET_MS);
    timer.unref();
  };
  return {
    start(started) {
      tree = started;
      wait();
    },
    wrote(bytes) {
      line = (line + Buffer.from(bytes.subarray(-LINE_MAX_CHARS)).toString()).slice(-LINE_MAX_CHARS);
      judge(false);
      if (tree) wait();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** An unfinished last line that ends like a question. */
export function looksLikePrompt(output: string): boolean {
  const line = output.slice(output.lastIndexOf('\n') + 1).replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
  return /(?:[?:>$#%)\]]|>>>) ?$|password|passphrase/i.test(line.slice(-80)) && line.trim() !== '';
}

/** The system call `read` by its number. */
const READ_CALL: Partial<Record<string, string>> = { x64: '0', arm64: '63' };

async function readsTerminal(tree: ProcessTree | undefined, terminal: string): Promise<boolean> {
  const call = READ_CALL[process.arch];
  if (process.platform !== 'linux' || !tree || call === undefined) return false;
  const pids = await tree.members();
  const reads = await Promise.all(
    pids.map(async (pid) => {
      const [number, descriptor] = (await readFile(`/proc/${pid}/syscall`, 'latin1').catch(() => '')).split(' ');
      if (number !== call || descriptor === undefined) return false;
      const file = await readlink(`/proc/${pid}/fd/${Number(descriptor)}`).catch(() => '');
      return file === terminal || file === '/dev/tty';
    }),
  );
  return reads.includes(true);
}

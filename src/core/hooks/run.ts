// One run of one hook: the event goes in as JSON, its outputs are kept to a bound, and it ends by itself, by its time limit or by Stop.
import type { JsonObject } from '../../common/json';
import type { Clock, Ids, Path } from '../host';
import { onAbort } from '../onAbort';
import type { Program, StartProgram } from '../program';
import type { Hook } from './configured';

/** Of each of its two outputs; what comes after is not kept. */
export const OUTPUT_MAX_BYTES = 64 * 1024;

export type HookExit =
  | {
      readonly how: 'exited';
      /** "exit code 1", "SIGKILL". */
      readonly ended: string;
      readonly code?: number;
      readonly stdout: string;
      readonly stderr: string;
      /** More was written than is kept. */
      readonly isCut: boolean;
    }
  | { readonly how: 'timeout' | 'stopped' }
  | { readonly how: 'unstarted'; readonly reason: string };

export interface HookSurroundings {
  readonly host: { readonly clock: Clock; readonly ids: Ids };
  readonly start: StartProgram;
  readonly cwd: Path;
  readonly env: Readonly<Record<string, string>>;
  /** Gets the end of a program that is not waited for. */
  readonly leave: (ending: Promise<void>) => void;
}

/** Never rejects. Resolves when nothing of the hook is left; after Stop it does not wait for that. */
export async function runHook(
  { command, timeoutMs }: Hook,
  input: JsonObject,
  { host, start, cwd, env, leave }: HookSurroundings,
  signal: AbortSignal,
): Promise<HookExit> {
  if (signal.aborted) return { how: 'stopped' };
  const out = new Kept();
  const err = new Kept();
  const over = new AbortController();
  let settle: (exit: HookExit) => void = () => {};
  const exited = new Promise<HookExit>((resolve) => (settle = resolve));
  const started = await start({
    id: host.ids.next('hook'),
    ...{ command, cwd, env },
    onOutput: (bytes) => out.take(bytes),
    onErrorOutput: (bytes) => err.take(bytes),
    onExit: (ended, code) => {
      const texts = { stdout: out.text(), stderr: err.text(), isCut: out.isCut };
      settle({ how: 'exited', ended, ...(code === undefined ? {} : { code }), ...texts });
    },
  });
  if (!started.ok) return { how: 'unstarted', reason: started.reason };

  const { program } = started;
  give(program, input);
  const unhook = onAbort(signal, () => settle({ how: 'stopped' }));
  void host.clock.sleep(timeoutMs, over.signal).then(() => settle({ how: 'timeout' }));
  const exit = await exited;
  over.abort();
  unhook();
  if (exit.how === 'timeout') await program.end();
  if (exit.how === 'stopped') leave(program.end());
  return exit;
}

/** A hook need not read what it is given. */
function give(program: Program, input: JsonObject): void {
  program.write(`${JSON.stringify(input)}\n`).catch(() => {});
  program.closeInput();
}

/** Held state of one output: its first bytes. */
class Kept {
  private readonly pieces: Uint8Array[] = [];
  private bytes = 0;
  isCut = false;

  take(piece: Uint8Array): void {
    const room = OUTPUT_MAX_BYTES - this.bytes;
    if (piece.length > room) this.isCut = true;
    if (room <= 0) return;
    const kept = piece.slice(0, room);
    this.pieces.push(kept);
    this.bytes += kept.length;
  }

  text(): string {
    const decoder = new TextDecoder();
    return this.pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
  }
}

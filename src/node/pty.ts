// Pseudoterminals by the editor's own node-pty, loaded while running: it ships with the editor and is bound to its build.
import { closeSync, constants, openSync, write } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { errorCode } from './files';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal without a program: the program opens `path` itself. */
export interface Pty {
  readonly path: string;
  /** What programs write, byte for byte but for the carriage returns that the terminal puts before line feeds. */
  readonly output: Readable;
  read(bytes: Buffer): Buffer;
  /** What `read` still holds. */
  rest(): Buffer;
  /** As from a keyboard, in order, also before any program reads; what waits is bounded. */
  type(text: string): void;
  resize(size: TerminalSize): void;
  /** From now on the output ends when no program has the terminal open. */
  release(): void;
}

export interface PtySystem {
  /** Throws when there is no terminal to be had. */
  open(size: TerminalSize): Pty;
}

/** What is used of node-pty: no child of its own, since its exit may overtake the output, and it passes on no further descriptor. */
interface NativePty {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(master: number, columns: number, rows: number, widthPixels: number, heightPixels: number): void;
}

/** Where editors have it, by the folder of the application; first the archive, which only its own loader can look into. */
export function ptyFolders(appRoot: string): readonly string[] {
  const places = ['node_modules.asar', 'node_modules.asar.unpacked', 'node_modules'];
  return places.map((place) => join(appRoot, place, 'node-pty'));
}

/** The first that can be loaded. */
export function loadPty(folders: readonly string[]): PtySystem | undefined {
  if (process.platform === 'win32') return undefined;
  for (const folder of folders) {
    const native = loadNative(folder);
    if (native) return { open: (size) => openPty(native, size) };
  }
  return undefined;
}

function loadNative(folder: string): NativePty | undefined {
  try {
    const { native } = createRequire(join(folder, 'package.json'))(folder) as { native?: Partial<NativePty> };
    return typeof native?.open === 'function' && typeof native.resize === 'function'
      ? (native as NativePty)
      : undefined;
  } catch {
    return undefined;
  }
}

function openPty(native: NativePty, { columns, rows }: TerminalSize): Pty {
  const { master, slave, pty: path } = native.open(columns, rows);
  // Holds the terminal open until the program has it; unlike `slave`, no other child inherits this one.
  const holder = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  closeSync(slave);
  const output = new ReadStream(master);
  // With the last program gone, reading fails: that is the end.
  output.on('error', () => output.destroy());
  const { read, rest } = createLineFeeds();
  const type = createTyping(master, () => !output.destroyed);
  let isHeld = true;
  return {
    path,
    output,
    read,
    rest,
    type,
    resize(size) {
      if (!output.destroyed) native.resize(master, size.columns, size.rows, 0, 0);
    },
    release() {
      if (isHeld) closeSync(holder);
      isHeld = false;
    },
  };
}

/** A terminal that is full takes more once its program has read. */
const RETRY_MS = 20;
const TYPED_MAX_BYTES = 256 * 1024;
/** Ctrl-C: what was typed before it no longer counts, as in any terminal. */
export const INTERRUPT = '\u0003';

/** One write after the other: several at once may overtake each other, and a full terminal takes a part only. */
function createTyping(master: number, isOpen: () => boolean): Pty['type'] {
  let waiting: Buffer = Buffer.alloc(0);
  let isWriting = false;
  const pump = (): void => {
    if (isWriting || waiting.length === 0 || !isOpen()) return;
    const bytes = waiting;
    waiting = Buffer.alloc(0);
    isWriting = true;
    write(master, bytes, (error, written) => {
      isWriting = false;
      if (error && errorCode(error) !== 'EAGAIN') return;
      const left = bytes.subarray(error ? 0 : written);
      if (left.length === 0) return pump();
      if (!waiting.subarray(0, 1).equals(Buffer.from(INTERRUPT))) waiting = Buffer.concat([left, waiting]);
      setTimeout(pump, RETRY_MS).unref();
    });
  };
  return (text) => {
    const typed = Buffer.from(text);
    waiting = text === INTERRUPT ? typed : Buffer.concat([waiting, typed]).subarray(0, TYPED_MAX_BYTES);
    pump();
  };
}

const CR = 0x0d;
const LF = 0x0a;

/** Takes back what the terminal adds: one carriage return before each line feed. Bytes may be split anywhere. */
export function createLineFeeds(): Pick<Pty, 'read' | 'rest'> {
  let isHeld = false;
  return {
    read(bytes) {
      const found = Buffer.allocUnsafe(bytes.length + 1);
      let length = 0;
      for (const byte of bytes) {
        if (isHeld && byte !== LF) found[length++] = CR;
        isHeld = byte === CR;
        if (!isHeld) found[length++] = byte;
      }
      return found.subarray(0, length);
    },
    rest() {
      const found = isHeld ? Buffer.of(CR) : Buffer.alloc(0);
      isHeld = false;
      return found;
    },
  };
}

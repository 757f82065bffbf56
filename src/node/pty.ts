// Pseudoterminals by the editor's own node-pty, loaded while running: it ships with the editor and is bound to its build.
import { closeSync, constants, openSync, write } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';

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
  /** As from a keyboard. Lost when the program leaves its input unread for long. */
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
  let isHeld = true;
  return {
    path,
    output,
    read,
    rest,
    type(text) {
      if (!output.destroyed) write(master, Buffer.from(text), () => undefined);
    },
    resize(size) {
      if (!output.destroyed) native.resize(master, size.columns, size.rows, 0, 0);
    },
    release() {
      if (isHeld) closeSync(holder);
      isHeld = false;
    },
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

// Files of every kind that an edit must not harm: what they hold, a small edit, and the bytes that must be there afterwards.
import assert from 'node:assert/strict';
import { chmod, link, lstat, mkdir, readdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ToolTest } from './toolTest';

export interface ByteCase {
  readonly what: string;
  readonly bytes: Uint8Array;
  readonly edit: readonly [old: string, text: string];
  /** Absent: the edit is refused and the file is as it was. */
  readonly after?: Uint8Array;
  readonly name?: string;
  readonly mode?: number;
  /** How the file is reached. */
  readonly by?: 'link' | 'linked folder' | 'hard link';
  /** As `files.encoding` says; needs an editor. */
  readonly encoding?: string;
  /** What the person has it open in; needs an editor. */
  readonly open?: 'once' | 'twice' | 'with its own encoding';
}

const utf8 = (text: string) => Buffer.from(text);
const utf16le = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
const latin = (text: string) => Buffer.from(text, 'latin1');
const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : Uint8Array.of(part))));

type Encode = (text: string) => Uint8Array;

/** `a`, `two` and `c` on lines of their own. */
function lines(what: string, encode: Encode, eol: string, options: Partial<ByteCase> = {}): ByteCase {
  const text = (middle: string) => encode(['ä 1', middle, 'c 😀', ''].join(eol));
  return { what, bytes: text('two'), edit: ['two', 'zwei ö'], after: text('zwei ö'), ...options };
}

function refused(what: string, content: Uint8Array, options: Partial<ByteCase> = {}): ByteCase {
  return { what, bytes: content, edit: ['two', 'zwei'], ...options };
}

function replaced(
  what: string,
  before: string,
  edit: ByteCase['edit'],
  after: string,
  options: Partial<ByteCase> = {},
) {
  return { what, bytes: utf8(before), edit, after: utf8(after), ...options };
}

const LONG_NAME = `${'文'.repeat(80)}.txt`;
const MANY = 'line of many\n'.repeat(100_000);
const WIDE = 'x'.repeat(1_000_000);

export const BYTE_CASES: readonly ByteCase[] = [
  lines('line feeds', utf8, '\n'),
  lines('carriage returns and line feeds', utf8, '\r\n'),
  replaced('carriage returns alone', 'a\rtwo\rc\r', ['two', '2'], 'a\r2\rc\r'),
  replaced('mixed line endings', 'a\r\ntwo\nc\r\nd\n', ['two', '2'], 'a\r\n2\nc\r\nd\n'),
  replaced('all three line endings', 'a\rtwo\nc\r\nd', ['two', '2'], 'a\r2\nc\r\nd'),
  lines('a byte-order mark', (text) => utf8(`\ufeff${text}`), '\n'),
  lines('a byte-order mark and carriage returns', (text) => utf8(`\ufeff${text}`), '\r\n'),
  lines('two byte-order marks', (text) => utf8(`\ufeff\ufeff${text}`), '\n'),
  lines('UTF-16, little end first', utf16le, '\n'),
  lines('UTF-16, little end first, carriage returns', utf16le, '\r\n'),
  lines('UTF-16, big end first', utf16be, '\n'),
  lines('UTF-16, big end first, carriage returns', utf16be, '\r\n'),
  replaced('no end of the last line', 'a\ntwo', ['two', '2'], 'a\n2'),
  replaced('no end of the last line, an earlier one edited', 'two\nb', ['two', '2'], '2\nb'),
  replaced('one line', 'two', ['two', '2'], '2'),
  replaced('blank lines at both ends', '\n\n\ntwo\n\n\n', ['two', '2'], '\n\n\n2\n\n\n'),
  replaced('tabs and blanks', '\ta \n\t two\t\n  c  \n', ['two', '2'], '\ta \n\t 2\t\n  c  \n'),
  replaced('composed letters', '\u00e9\ntwo\n', ['two', '2'], '\u00e9\n2\n'),
  replaced('decomposed letters', 'e\u0301\ntwo\n', ['two', '2'], 'e\u0301\n2\n'),
  replaced('both, on one line', '\u00e9 e\u0301 two\n', ['two', '2'], '\u00e9 e\u0301 2\n'),
  replaced('characters of two units', '😀two😁\n', ['two', '👩‍👩‍👧'], '😀👩‍👩‍👧😁\n'),
  replaced(
    'other line separators',
    'a\u2028b\u2029c\u0085d\ve\ff\ntwo\n',
    ['two', '2'],
    'a\u2028b\u2029c\u0085d\ve\ff\n2\n',
  ),
  replaced('a mark within the text', 'a\ufeffb\ntwo\n', ['two', '2'], 'a\ufeffb\n2\n'),
  replaced('escape sequences', '\u001b[31mred\u001b[0m\ntwo\n', ['two', '2'], '\u001b[31mred\u001b[0m\n2\n'),
  replaced('what looks like a replacement pattern', 'a\ntwo\n', ['two', "$&$1$'"], "a\n$&$1$'\n"),
  replaced('an edit that takes a line out', 'a\ntwo\nc\n', ['two\n', ''], 'a\nc\n'),
  replaced('an edit that empties the file', 'two', ['two', ''], ''),
  replaced('a file of 200,000 lines', `${MANY}two\n${MANY}`, ['two', '2'], `${MANY}2\n${MANY}`),
  replaced('a line of 2 MB', `${WIDE}two${WIDE}\n`, ['two', '2'], `${WIDE}2${WIDE}\n`),
  replaced('a name as long as names can be', 'a\ntwo\n', ['two', '2'], 'a\n2\n', { name: LONG_NAME }),
  lines('a name with signs', utf8, '\n', { name: `it's "a" #1 ?x=100%20 & [b] {c} $d.txt` }),
  lines('a decomposed name', utf8, '\n', { name: 'e\u0301te\u0301.txt' }),
  lines('a name with a backslash', utf8, '\n', { name: 'a\\b.txt' }),
  lines('an ignored file', utf8, '\n', { name: 'ignored/a.log' }),
  lines('an executable', utf8, '\n', { mode: 0o755 }),
  lines('odd permissions', utf8, '\r\n', { mode: 0o640 }),
  lines('a link', utf8, '\n', { by: 'link' }),
  lines('a file in a linked folder', utf8, '\r\n', { by: 'linked folder' }),
  lines('a file with two names', utf8, '\n', { by: 'hard link' }),
  replaced('mixed line endings and two names', 'a\r\ntwo\n', ['two', '2'], 'a\r\n2\n', { by: 'hard link' }),
  refused('a read-only file', utf8('a\ntwo\n'), { mode: 0o444 }),
  refused('an empty file', utf8('')),
  refused('a NUL', utf8('a\0\ntwo\n')),
  refused('UTF-16 without a mark', Buffer.from('a\ntwo\n', 'utf16le')),
  refused('bytes that are no UTF-8', bytes('a', 0xe9, '\ntwo\n')),
  refused('a character that is cut off', bytes('two\n', 0xf0, 0x9f)),
  refused('half a pair in UTF-16', utf16le('two\ud83d\n')),
  refused('half a byte in UTF-16', bytes(0xff, 0xfe, 't', 0, 'w', 0, 'o')),
  refused('half a pair as the new text', utf8('a\ntwo\n'), { edit: ['two', '\ud83d'] }),
  ...['\n', '\r\n'].map((eol) => lines(`a file that is open (${JSON.stringify(eol)})`, utf8, eol, { open: 'once' })),
  lines('UTF-16 that is open', utf16be, '\r\n', { open: 'once' }),
  lines('a file that is open twice', utf8, '\n', { open: 'twice' }),
  replaced('mixed line endings that are open', 'a\r\ntwo\nc\n', ['two', '2'], 'a\r\n2\nc\n', { open: 'once' }),
  ...['iso88591', 'windows1252'].map((encoding) => ({
    ...{ what: `an encoding that is set: ${encoding}`, encoding, edit: ['two', 'ü'] as const },
    ...{ bytes: latin('é\r\ntwo\r\n'), after: latin('é\r\nü\r\n') },
  })),
  {
    ...{ what: 'an encoding that is set: shiftjis', encoding: 'shiftjis', edit: ['two', 'い'] },
    ...{ bytes: bytes(0x82, 0xa0, '\ntwo\n'), after: bytes(0x82, 0xa0, '\n', 0x82, 0xa2, '\n') },
  },
  {
    ...{ what: 'an encoding that is set: gb18030', encoding: 'gb18030', edit: ['two', '中'] },
    ...{ bytes: bytes(0x81, 0x30, 0x81, 0x30, '\ntwo'), after: bytes(0x81, 0x30, 0x81, 0x30, '\n', 0xd6, 0xd0) },
  },
  {
    ...{ what: 'an encoding that is set: koi8r', encoding: 'koi8r', edit: ['two', 'ю'] },
    ...{ bytes: bytes(0xc1, '\ntwo\n'), after: bytes(0xc1, '\n', 0xc0, '\n') },
  },
  {
    ...{ what: 'the encoding that it is open in', open: 'with its own encoding', edit: ['two', 'ü'] },
    ...{ bytes: latin('é\ntwo\n'), after: latin('é\nü\n') },
  },
  lines('UTF-8 with a mark where another encoding is set', (text) => utf8(`\ufeff${text}`), '\n', {
    encoding: 'iso88591',
  }),
  refused('a character that the encoding has not', latin('é\ntwo\n'), { encoding: 'iso88591', edit: ['two', '→'] }),
  refused('bytes that the encoding has not', bytes(0x81, '\ntwo\n'), { encoding: 'shiftjis' }),
];

/** Where the file is, and by which path it is named. */
interface Laid {
  readonly real: string;
  readonly named: string;
  /** What must be as it was, byte by byte: permissions, owner, identity, kind of each name, and which names there are. */
  look(): Promise<unknown>;
}

async function layOut({ bytes: content, name = 'a.txt', mode, by }: ByteCase, folder: string): Promise<Laid> {
  const real = join(folder, 'real', name);
  await mkdir(dirname(real), { recursive: true });
  await writeFile(real, content);
  const named = by === 'linked folder' ? join(folder, 'to', name) : by ? join(folder, 'other.txt') : real;
  if (by === 'linked folder') await symlink('real', join(folder, 'to'));
  if (by === 'link') await symlink(join('real', name), named);
  if (by === 'hard link') await link(real, named);
  if (mode !== undefined) await chmod(real, mode);
  return {
    real,
    named,
    async look() {
      const [{ mode: bits, uid, gid, nlink }, { mode: kind }, names] = await Promise.all([
        stat(real),
        lstat(named),
        readdir(folder, { recursive: true }),
      ]);
      return { bits, uid, gid, nlink, kind, leadsTo: await realpath(named), names: names.sort() };
    },
  };
}

export interface ByteTest {
  readonly tools: ToolTest;
  /** Empty. */
  readonly folder: string;
  /** The person opens it before the model reads it. */
  readonly open?: (path: string, how: NonNullable<ByteCase['open']>) => Promise<unknown>;
}

/** Reads and edits the file as a model does, and compares every byte and all that belongs to a file besides. */
export async function checkBytes(test: ByteCase, { tools, folder, open }: ByteTest): Promise<void> {
  const { real, named, look } = await layOut(test, folder);
  const before = await look();
  if (test.open) await open?.(named, test.open);
  await tools.call('read', { file_path: named });
  const result = await tools.call('edit', { file_path: named, old_string: test.edit[0], new_string: test.edit[1] });
  const now = await readFile(real);
  const expected = Buffer.from(test.after ?? test.bytes);
  assert.equal(result.status === 'done', test.after !== undefined, result.text);
  // Not deepEqual: of 2 MB it would print a difference.
  assert.ok(now.equals(expected), `${now.subarray(0, 200).toString('latin1')} (${now.length} bytes)\n${result.text}`);
  assert.deepEqual(await look(), before);
}

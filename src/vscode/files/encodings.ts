// Bytes to text as the editor would open them, but strictly: what would not come back as the same bytes is a problem, never U+FFFD.
import * as vscode from 'vscode';
import type { FileProblem } from '../../core/host';
import { guessText } from '../../core/files/encoding';
import { BINARY, decodeText } from '../../node/text';

export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/** The encoding is that of a byte-order mark, else that of the open document, else what the person has set for the file, its language or guessing. */
export async function decode(
  bytes: Uint8Array,
  uri: vscode.Uri,
  documentEncoding: string | undefined,
): Promise<Decoded | FileProblem> {
  if (hasMark(bytes)) return decodeText(bytes);
  if (documentEncoding !== undefined) return decodeAs(bytes, documentEncoding);
  const { encoding, others, isGuessing } = possibleEncodings(uri);
  const decoded = await decodeAs(
    bytes,
    others.length === 0 ? encoding : await chosen(bytes, uri, [encoding, ...others]),
  );
  if (!isGuessing || !('problem' in decoded) || decoded.problem !== 'encoding') return decoded;
  // The editor guesses only where it opens a file. Should it guess otherwise then, an edit finds another text and is refused.
  const guess = await guessText(bytes);
  const guessed = await decodeAs(bytes, guess.setting);
  return 'text' in guessed && guessed.text === guess.text ? guessed : decoded;
}

/** The editor says what it would show, but not by which encoding. */
async function chosen(bytes: Uint8Array, uri: vscode.Uri, candidates: readonly [string, ...string[]]): Promise<string> {
  const text = await editorText(bytes, uri);
  for (const candidate of candidates) {
    const decoded = await decodeAs(bytes, candidate);
    if ('text' in decoded && decoded.text === text) return candidate;
  }
  return candidates[0];
}

async function decodeAs(bytes: Uint8Array, encoding: string): Promise<Decoded | FileProblem> {
  if (encoding.startsWith('utf8')) return decodeText(bytes);
  try {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const back = await vscode.workspace.encode(text, { encoding });
    if (Buffer.compare(back, bytes) === 0) return { text, encoding };
    return {
      problem: 'encoding',
      message: `is not valid ${encoding} text, which is the encoding set for it; it is left alone.`,
    };
  } catch {
    return BINARY;
  }
}

function possibleEncodings(uri: vscode.Uri): {
  readonly encoding: string;
  /** Of single languages: which one a file has is known only when it is open. */
  readonly others: readonly string[];
  readonly isGuessing: boolean;
} {
  const settings = vscode.workspace.getConfiguration('files', uri);
  const languages = settings.inspect('encoding')?.languageIds ?? [];
  const others = languages.map((languageId) =>
    vscode.workspace.getConfiguration('files', { uri, languageId }).get('encoding', 'utf8'),
  );
  const isGuessing = settings.get('autoGuessEncoding', false);
  return { encoding: settings.get('encoding', 'utf8'), others, isGuessing };
}

async function editorText(bytes: Uint8Array, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch {
    return undefined;
  }
}

function hasMark([a, b, c]: Uint8Array): boolean {
  return (a === 0xef && b === 0xbb && c === 0xbf) || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
}

/** What the person has set for the file, as the editor calls it. */
export function encodingFor(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
}

/** Whether the text comes back as it is from its bytes in that encoding. */
export async function canEncode(text: string, encoding: string): Promise<boolean> {
  if (encoding.startsWith('utf')) return true;
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text;
}

// The Log port as lines without secrets: what anybody logs goes through here, on every host (S95).
import { messageOf } from '../../common/errors';
import type { Log } from '../host';
import { redact } from './redact';

export type LogLevel = 'info' | 'warn' | 'error';

/** Of one line. A fault may quote a whole request or a whole log of its own. */
const LINE_MAX_CHARS = 16_000;
const HEAD_CHARS = 4_000;

export function redactedLog(write: (level: LogLevel, line: string) => void): Log {
  const tell = (level: LogLevel, text: string) => write(level, shortened(redact(text)));
  return {
    info: (message) => tell('info', message),
    warn: (message) => tell('warn', message),
    error: (message, cause) => tell('error', cause === undefined ? message : `${message}: ${detail(cause)}`),
  };
}

/** The end says more than the middle. */
function shortened(line: string): string {
  if (line.length <= LINE_MAX_CHARS) return line;
  const cut = line.length - LINE_MAX_CHARS;
  return `${line.slice(0, HEAD_CHARS)}\n[${cut} characters left out]\n${line.slice(HEAD_CHARS + cut)}`;
}

function detail(cause: unknown): string {
  return cause instanceof Error && cause.stack ? cause.stack : messageOf(cause);
}

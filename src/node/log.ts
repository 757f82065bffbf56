// The Log port as lines of text.
import { messageOf } from '../common/errors';
import type { Clock, Log } from '../core/host';

export function createLog(clock: Pick<Clock, 'now'>, write: (line: string) => void): Log {
  const line = (level: string, message: string) => write(`${new Date(clock.now()).toISOString()} ${level} ${message}`);
  return {
    info: (message) => line('info', message),
    warn: (message) => line('warn', message),
    error: (message, cause) => line('error', cause === undefined ? message : `${message}: ${detail(cause)}`),
  };
}

function detail(cause: unknown): string {
  return cause instanceof Error && cause.stack ? cause.stack : messageOf(cause);
}

// The Log port as lines of text.
import type { Clock, Log } from '../core/host';
import { redactedLog } from '../core/secrets/log';

export function createLog(clock: Pick<Clock, 'now'>, write: (line: string) => void): Log {
  return redactedLog((level, line) => write(`${new Date(clock.now()).toISOString()} ${level} ${line}`));
}

// The log that people see in the Output view. What takes secrets out of it is loaded with the first line, and no line passes it by.
import type * as vscode from 'vscode';
import { messageOf } from '../common/errors';
import type { Log } from '../core/host';

export function channelLog(channel: vscode.LogOutputChannel): Log {
  let loaded: Log | undefined;
  let loading: Promise<Log> | undefined;
  const load = async () => {
    const { redactedLog } = await import('../core/secrets/log');
    return (loaded = redactedLog((level, line) => channel[level](line)));
  };
  const tell = (say: (log: Log) => void) => {
    if (loaded) say(loaded);
    else (loading ??= load()).then(say, (error: unknown) => channel.error(messageOf(error)));
  };
  return {
    info: (message) => tell((log) => log.info(message)),
    warn: (message) => tell((log) => log.warn(message)),
    error: (message, cause) => tell((log) => log.error(message, cause)),
  };
}

// The log that people see in the Output view.
import type * as vscode from 'vscode';
import type { Log } from '../core/host';

export function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, cause) => channel.error(cause === undefined ? message : `${message}: ${describe(cause)}`),
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

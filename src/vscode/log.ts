// The log that people see in the Output view.
import type * as vscode from 'vscode';
import type { Log } from '../core/host';
import { redactedLog } from '../core/secrets/log';

export function channelLog(channel: vscode.LogOutputChannel): Log {
  return redactedLog((level, line) => channel[level](line));
}

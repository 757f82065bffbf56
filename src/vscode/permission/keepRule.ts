// Keeps what the person allowed for good, as a rule in their own settings.
import * as vscode from 'vscode';
import type { Log } from '../../core/host';
import { holdsSecret, redact } from '../../core/secrets/redact';

const NAME = 'permission.allow';

let kept: Promise<unknown> = Promise.resolve();

/** False where the settings could not be written, which the person is told. Never rejects. */
export function keepRule(rule: string, log: Log): Promise<boolean> {
  // One after the other: each adds to what the one before has left.
  const keeping = kept.then(() => keep(rule, log));
  kept = keeping;
  return keeping;
}

async function keep(rule: string, log: Log): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration('lathe');
  const before: unknown = settings.inspect(NAME)?.globalValue ?? [];
  try {
    // Settings are shared, synchronised and committed (S95).
    if (holdsSecret(rule)) throw new Error('it holds a key or a password');
    // What is there and no list was written by hand: it is not for us to throw away.
    if (!Array.isArray(before)) throw new Error(`lathe.${NAME} is not a list`);
    if (!before.includes(rule))
      await settings.update(NAME, [...(before as unknown[]), rule], vscode.ConfigurationTarget.Global);
    return true;
  } catch (error) {
    log.error(`The rule ${rule} could not be kept.`, error);
    const message = vscode.l10n.t(
      'The rule {0} could not be kept in your settings; it holds for this session.',
      redact(rule),
    );
    void vscode.window.showWarningMessage(message);
    return false;
  }
}

// Puts the state before the agent back, for a hunk or for a whole file: an edit like any other, as one step of the editor's undo.
import * as vscode from 'vscode';
import { isProblem, type FileChange, type Path } from '../../core/host';
import type { UndoPlan } from '../../core/review/types';
import { EDITOR_TEXT_BYTES } from '../files/files';
import type { EditorHost } from '../host';

/** Why nothing was changed, for the person; undefined when it is done. */
export async function carryOut(plan: UndoPlan, host: EditorHost): Promise<string | undefined> {
  const { path } = plan;
  if (plan.kind === 'recreate') return apply(host, { kind: 'create', path, text: plan.text });
  const file = await host.files.text(path, EDITOR_TEXT_BYTES);
  if (isProblem(file)) return file.message;
  // What is put back is counted in the text that was known: in another one it would land anywhere.
  if (file.text !== plan.before) {
    return vscode.l10n.t('{0} is being changed by a command at the moment. Undo it when that has ended.', shown(path));
  }
  if (plan.kind !== 'edit' && file.isDirty) {
    return vscode.l10n.t('{0} has unsaved changes of yours. Save or discard them first.', shown(path));
  }
  const { version: baseVersion } = file;
  if (plan.kind === 'remove') return apply(host, { kind: 'delete', path, baseVersion });
  if (plan.kind === 'edit') return apply(host, { kind: 'edit', path, baseVersion, splices: plan.splices });
  const { to, splices } = plan;
  if (splices.length > 0) {
    const problem = await apply(host, { kind: 'edit', path, baseVersion, splices });
    if (problem !== undefined) return problem;
  }
  const version = await host.files.version(path);
  if (typeof version !== 'string') return version.message;
  return apply(host, { kind: 'move', path, to, baseVersion: version });
}

async function apply(host: EditorHost, change: FileChange): Promise<string | undefined> {
  const label = vscode.l10n.t('Undo Lathe’s change of {0}', shown(change.path));
  const outcome = await host.edits.apply({ label, call: host.ids.next('undo'), changes: [change] });
  return outcome.ok ? undefined : outcome.reason;
}

export function shown(path: Path): string {
  return vscode.workspace.asRelativePath(path);
}

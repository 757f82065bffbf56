// The suite that runs inside a real VS Code: what only the editor can prove.
import { runMocha } from '../support/vscode-host/mocha-run';

export function run(): Promise<void> {
  return runMocha([
    () => import('./manifest.test'),
    () => import('./settings.test'),
    () => import('./restricted.test'),
    () => import('./files.test'),
    () => import('./read.test'),
    () => import('./edits.test'),
    () => import('./checkpoint.test'),
    () => import('./bytes.test'),
    () => import('./landing.test'),
    () => import('./saving.test'),
    () => import('./cells.test'),
    () => import('./removing.test'),
    () => import('./search.test'),
    () => import('./shell.test'),
    () => import('./review.test'),
    () => import('./reviewRaces.test'),
    () => import('./codeActions.test'),
    () => import('./problems.test'),
    () => import('./commandChanges.test'),
    () => import('./proposals.test'),
    () => import('./panel.test'),
  ]);
}

// Where the end-to-end tests leave what a person would have seen.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sourceTree';
import type { Session } from './vscode-host/session.mjs';

/** `LATHE_SCREENSHOTS` names another folder than out/screenshots. */
export async function saveScreenshot(workbench: Pick<Session, 'screenshot'>, name: string): Promise<void> {
  const folder = process.env['LATHE_SCREENSHOTS'] ?? join(root, 'out/screenshots');
  mkdirSync(folder, { recursive: true });
  await workbench.screenshot(join(folder, `${name}.png`));
}

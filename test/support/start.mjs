// Opens VS Code with the extension and the demo project: the desktop build where it can be had, else the browser-served one.
//
//   npm start [-- --workspace DIR]
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ensureHost } from './vscode-host/install.mjs';
import { openLifetime } from './vscode-host/lifetime.mjs';
import { startServer } from './vscode-host/server.mjs';

const root = join(import.meta.dirname, '../..');

/** A copy, so that the demo's bug is there again next time. */
function demoCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-demo-'));
  cpSync(join(root, 'media/demo'), folder, { recursive: true });
  return folder;
}

async function main() {
  const { values } = parseArgs({ options: { workspace: { type: 'string' } } });
  const workspace = values.workspace ? resolve(process.env.INIT_CWD ?? '.', values.workspace) : demoCopy();
  console.log('Building the extension…');
  await build();
  const host = await ensureHost({ log: console.log });
  if (host.kind === 'desktop') {
    const args = [`--extensionDevelopmentPath=${root}`, workspace];
    spawn(host.executablePath, args, { detached: true, stdio: 'ignore' }).unref();
    console.log(
      `VS Code opens with ${workspace}. Lathe is in the secondary side bar; Ctrl+Alt+L brings it to the front.`,
    );
    return;
  }
  const lifetime = openLifetime();
  const server = await startServer({ lifetime, log: console.log });
  const url = server.url({ workspace, extensionDevelopmentPath: root });
  console.log(
    `\nVS Code is served at\n\n  ${url}\n\nOpen it in a browser. Lathe is in the secondary side bar.\nCtrl+C ends it.`,
  );
  console.error(await server.exited);
  await lifetime.end();
  process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

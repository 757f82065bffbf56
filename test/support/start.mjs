// Opens VS Code with the extension and the demo project: the desktop build where it can be had, else the browser-served one.
//
//   npm start [-- --workspace DIR]
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ensureHost } from './vscode-host/install.mjs';
import { openLifetime } from './vscode-host/lifetime.mjs';
import { startServer } from './vscode-host/server.mjs';

const root = join(import.meta.dirname, '../..');
const SHOW = `Lathe opens with ${process.platform === 'darwin' ? 'Cmd' : 'Ctrl'}+Alt+L, or with a click on its name in the status bar.`;

/** A copy, so that the demo's bug is there again next time. @param {string} folder */
function demoCopy(folder) {
  cpSync(join(root, 'media/demo'), folder, { recursive: true });
  return folder;
}

async function main() {
  const { values } = parseArgs({ options: { workspace: { type: 'string' } } });
  const given = values.workspace && resolve(process.env.INIT_CWD ?? '.', values.workspace);
  if (given && !existsSync(given)) throw new Error(`There is no folder ${given}.`);
  console.log('Building the extension…');
  await build();
  const host = await ensureHost({ log: console.log });
  if (host.kind === 'desktop') {
    const workspace = given ?? demoCopy(mkdtempSync(join(tmpdir(), 'lathe-demo-')));
    const args = [`--extensionDevelopmentPath=${root}`, workspace];
    spawn(host.executablePath, args, { detached: true, stdio: 'ignore' }).unref();
    console.log(`VS Code opens with ${workspace}. ${SHOW}`);
    return;
  }
  const lifetime = openLifetime();
  const server = await startServer({ lifetime, log: console.log });
  const workspace = given ?? demoCopy(lifetime.folder('demo'));
  const url = server.url({ workspace, extensionDevelopmentPath: root });
  const transient = given ? 'Settings and keys' : 'The demo project, settings and keys';
  console.log(`\nVS Code is served at\n\n  ${url}\n\nOpen it in a browser. ${SHOW}\n`);
  console.log(`Ctrl+C ends it. ${transient} end with it.`);
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (interrupted = true));
  const output = await server.exited;
  if (interrupted) return;
  console.error(`The VS Code server ended:\n${output}`);
  await lifetime.end();
  process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

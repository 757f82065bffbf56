// Makes the installable package for this platform and tells what it weighs.
//
//   npm run package [-- --out FILE.vsix]
import { execFile } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const VSCE = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');

/**
 * rg is a program of one platform, so the package is too.
 * @param {{ out?: string }} [options]
 * @returns {Promise<{ file: string, bytes: number }>}
 */
export async function packageExtension({ out } = {}) {
  const target = `${process.platform}-${process.arch}`;
  const file = out ? resolve(out) : join(root, `out/lathe-${target}.vsix`);
  mkdirSync(dirname(file), { recursive: true });
  const args = [VSCE, 'package', '--no-dependencies', '--target', target, '--out', file];
  try {
    // vsce runs `vscode:prepublish`, which is the production build.
    await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`The package could not be made:\n${stdout}${stderr}`, { cause: error });
  }
  return { file, bytes: statSync(file).size };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string' } } });
    // npm changes to the package's folder; a relative path is meant from where the person stands.
    const out = values.out && resolve(process.env.INIT_CWD ?? '.', values.out);
    const { file, bytes } = await packageExtension(out ? { out } : {});
    console.log(`${relative(process.cwd(), file)}: ${(bytes / 1024 / 1024).toFixed(2)} MB`);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}

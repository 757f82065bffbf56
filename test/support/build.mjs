// Builds the product, and with arguments for it also the tests, before a script runs what the build makes.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Rejects with a clear message when the build fails; its output is on standard error.
 * @param {readonly string[]} [testArgs] arguments of a second run of the build, for example ['--tests', 'test/host'] or ['--benches']
 */
export async function build(testArgs = []) {
  await run([]);
  if (testArgs.length > 0) await run(testArgs);
}

/** @param {readonly string[]} args @returns {Promise<void>} */
function run(args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, 'esbuild.mjs'), ...args], { cwd: root, stdio: ['ignore', 2, 2] });
    child.on('error', fail);
    child.on('exit', (code) => {
      if (code === 0) done();
      else fail(new Error('The build failed; the messages above say why. Was `npm install` run?'));
    });
  });
}

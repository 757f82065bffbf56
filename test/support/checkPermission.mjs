// Sets the product's permission decisions beside what files of cases expect: commands, paths, addresses.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '../..');

/** @typedef {import('./checkPermission/check').Checked} Checked */

const HELP = `Compares permission decisions with expectations.

  npm run -s check:permission -- [--commands FILE] [--paths FILE] [--urls FILE] [--json]

Each FILE has one case a line, as JSON. --json prints one JSON object, and nothing else, on standard output.

Exit code: 0 when nothing passes that should not, else 1.
`;

/** @param {string} kind @param {Checked} checked */
function print(kind, { score, misses }) {
  const { cases, unsafe, annoyPercent, overDenyPercent } = score;
  console.log(
    `${kind}: ${cases} cases, ${unsafe} unsafe, annoying ${annoyPercent} %, over-denied ${overDenyPercent} %`,
  );
  for (const miss of misses) {
    console.log(`  ${miss.kind.padEnd(12)} ${miss.id.padEnd(10)} expected ${miss.expected}, got ${miss.got}`);
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      commands: { type: 'string' },
      paths: { type: 'string' },
      urls: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const { commands, paths, urls } = values;
  const named = Object.entries({ commands, paths, urls }).flatMap(([kind, file]) =>
    file === undefined ? [] : [{ kind, file }],
  );
  if (named.length === 0) throw new Error('No file of cases was given: name one with --commands, --paths or --urls.');
  const texts = Object.fromEntries(
    named.map(({ kind, file }) => [kind, readFileSync(resolve(process.env.INIT_CWD ?? '.', file), 'utf8')]),
  );
  await build(['--tests', 'test/support/checkPermission']);
  /** @type {typeof import('./checkPermission/check')} */
  const { checkPermission, isSafe } = await import(
    pathToFileURL(join(root, 'out/test/support/checkPermission/check.js')).href
  );
  const all = await checkPermission(texts);
  const checked = Object.entries(all);
  if (values.json) console.log(JSON.stringify(Object.fromEntries(checked.map(([kind, { score }]) => [kind, score]))));
  else for (const [kind, each] of checked) print(kind, each);
  if (!isSafe(all)) process.exitCode = 1;
}

await main().catch((error) => {
  console.error(`check:permission: ${error.message}`);
  process.exitCode = 1;
});

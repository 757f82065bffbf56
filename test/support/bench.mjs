// Measures: each bench runs in a process of its own, one after another; HELP says how. No figure is ever asserted.
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '../..');
const SUFFIX = '.bench.ts';

/** @typedef {import('../bench/measure').Figure} Figure */

const names = readdirSync(join(root, 'test/bench'))
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort();

const HELP = `Measures Lathe. Each figure stands beside a baseline measured in the same run.

  npm run -s bench -- [NAME...] [--json]

NAME    ${names.join(', ')} (default: all of them)
--json  one JSON object, and nothing else, on standard output

Exit code: 0 unless a bench could not be run, 2 for wrong arguments.
`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}: there are ${names.join(', ')}.`);
  return { ...values, wanted: positionals.length > 0 ? [...new Set(positionals)] : names };
}

/** @param {string} name @returns {Promise<readonly Figure[]>} */
function measure(name) {
  const bench = join(root, 'out/bench', `${name}.bench.js`);
  return new Promise((done, fail) => {
    const child = fork(join(import.meta.dirname, 'benchProcess.mjs'), [bench], {
      cwd: root,
      execArgv: ['--expose-gc', '--enable-source-maps'],
      // What a bench prints must not get between the figures.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    /** @type {readonly Figure[] | undefined} */
    let figures;
    child.on('message', (message) => (figures = /** @type {readonly Figure[]} */ (message)));
    child.on('error', fail);
    child.on('close', (code, signal) => {
      if (figures && code === 0) done(figures);
      else fail(new Error(`The bench ${name} ended with ${signal ?? `exit code ${code}`}; its output is above.`));
    });
  });
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3)).toString();
}

/** @param {readonly Figure[]} figures */
function table(figures) {
  const rows = figures.map(({ name, value, unit, baseline, ratio }) => [
    name,
    `${round(value)} ${unit === 'ratio' ? '×' : unit}`,
    baseline ? `${baseline.name}: ${round(baseline.value)} ${unit === 'ratio' ? '×' : unit}` : '',
    ratio === undefined ? '' : `${round(ratio)} ×`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('   ')}`.trimEnd()).join('\n');
}

async function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`bench: ${/** @type {Error} */ (error).message}\n--help tells more.`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  // The product too: what is measured needs its programs.
  await build(['--benches']);
  /** @type {Record<string, readonly Figure[]>} */
  const benches = {};
  let failures = 0;
  for (const name of options.wanted) {
    try {
      benches[name] = await measure(name);
      if (!options.json) console.log(`${name}\n${table(benches[name])}\n`);
    } catch (error) {
      failures++;
      console.error(`bench: ${/** @type {Error} */ (error).message}`);
    }
  }
  if (options.json) {
    const machine = { node: process.version, platform: `${process.platform}-${process.arch}`, cpus: cpus().length };
    console.log(JSON.stringify({ machine, benches }));
  }
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error) => {
  console.error(`bench: ${error.message}`);
  return 1;
});

// Scores the edit cascade on a file of cases: where edits land, how they look, what is refused, how long it takes.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const root = join(import.meta.dirname, '../..');
const OWN_CASES = join(root, 'test/fixtures/edits.jsonl');

/** @typedef {import('../bench/edit/score').KindScore} KindScore */
/** @typedef {import('../bench/edit/score').Total} Total */

const HELP = `Scores where edits land.

  npm run -s bench:edit -- [--cases FILE.jsonl] [--json] [--verdicts]

--cases     one case a line (default: the few of the project, test/fixtures/edits.jsonl)
--json      one JSON object, and nothing else, on standard output
--verdicts  every case’s verdict too

Exit code: 0 when the cases could be run, whatever came of them, else 1.
`;

/** @param {KindScore} score @returns {number} cases that did not go as they have to */
function misses({ expect, cases, correct, refused }) {
  if (expect === 'apply') return cases - correct;
  return expect === 'refuse' ? cases - refused : cases - correct - refused;
}

/** @param {Total} total @param {Readonly<Record<string, KindScore>>} byKind */
function print(total, byKind) {
  for (const [name, value] of Object.entries(total))
    console.log(`${name.padEnd(22)} ${Number.isNaN(value) ? 'no such file' : Number(value.toFixed(2))}`);
  const missed = Object.entries(byKind).filter(([, score]) => misses(score) > 0);
  for (const [kind, { expect, cases, correct, cosmetic, refused, wrong }] of missed) {
    console.log(
      `${kind} (${expect}): ${cases} cases, ${correct} correct, ${cosmetic} cosmetic, ${refused} refused, ${wrong} wrong`,
    );
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: OWN_CASES },
      json: { type: 'boolean', default: false },
      verdicts: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const jsonl = readFileSync(resolve(process.env.INIT_CWD ?? '.', values.cases), 'utf8');
  await build(['--benches']);
  /** @type {typeof import('../bench/edit.bench')} */
  const { scoreCases } = await import(pathToFileURL(join(root, 'out/bench/edit.bench.js')).href);
  const { total, byKind, outcomes } = scoreCases(jsonl);
  const verdicts = values.verdicts ? { verdicts: outcomes.map(({ id, verdict }) => ({ id, verdict })) } : {};
  if (values.json) return console.log(JSON.stringify({ total, byKind, ...verdicts }));
  print(total, byKind);
  for (const { id, verdict } of verdicts.verdicts ?? []) console.log(`${id} ${verdict}`);
}

await main().catch((error) => {
  console.error(`bench:edit: ${error.message}`);
  process.exitCode = 1;
});

// A search of the tool's through a tree of 5,000 files, beside ripgrep alone over the same tree.
import { spawnSync } from 'node:child_process';
import { ripgrepPath } from '../../src/node/ripgrep';
import { withTools } from '../support/toolTest';
import { fastest, figure, type Figure } from './measure';

const FILES = 5_000;
const LINES = 100;
const TRIES = 5;
const PATTERN = 'needle\\d+';

export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await withTools(tree(), async ({ call, root }) => {
    const bare = await fastest(TRIES, () => {
      const { status } = spawnSync(ripgrepPath(), ['--no-config', '--line-number', PATTERN, root]);
      if (status !== 0) throw new Error(`ripgrep ended with ${status}.`);
    });
    for (const output_mode of ['files_with_matches', 'content']) {
      const ours = await fastest(TRIES, async () => {
        const { status, text } = await call('grep', { pattern: PATTERN, path: root, output_mode });
        if (status !== 'done') throw new Error(text);
      });
      figures.push(figure(`grep over 5,000 files, ${output_mode}`, 'ms', ours, { name: 'ripgrep alone', value: bare }));
    }
  });
  return figures;
}

/** One file in ten has a match. */
function tree(): Record<string, string> {
  const filler = Array.from({ length: LINES }, (_, at) => `export const value${at} = 'line ${at} of a file';`).join(
    '\n',
  );
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [
      `src/part${at % 50}/file${at}.ts`,
      at % 10 === 0 ? `${filler}\n// needle${at}\n` : filler,
    ]),
  );
}

// What the compression of logs saves against the digest and against the whole, and whether a failure is lost: must be none.
import { outputKindOf } from '../../src/core/output/commandKind';
import { compressOutput, looksLikeFailure } from '../../src/core/output/compress';
import { excerptOf } from '../../src/core/output/excerpt';
import { shorten } from '../../src/core/output/shorten';
import { LOGS, type Log } from '../support/logs';
import { figure, type Figure } from './measure';

const DEFAULTS = { shape: 'tail', maxChars: 30_000, digestChars: 8_000 } as const;

export async function run(): Promise<readonly Figure[]> {
  return (await Promise.all(LOGS.map(compare))).flat();
}

async function compare({ command, lines }: Log): Promise<Figure[]> {
  const whole = lines.join('\n');
  const digest = shorten(excerptOf(whole), DEFAULTS, 'toolu_1');
  const compressed = (await compressOutput(each(lines), outputKindOf(command), 'toolu_1')) ?? whole;
  // What the model gets with the setting on: still too long, it is shortened like any other.
  const sent = shorten(excerptOf(compressed), DEFAULTS, 'toolu_1');
  const failures = lines.filter(looksLikeFailure);
  const lost = (text: string): number => {
    const kept = new Set(text.split('\n'));
    return failures.filter((line) => !kept.has(line)).length;
  };
  const name = command.split(' ').slice(0, 2).join(' ');
  return [
    figure(`${name}: compressed`, 'characters', compressed.length, { name: 'whole', value: whole.length }),
    figure(`${name}: sent with compression`, 'characters', sent.length, { name: 'digest', value: digest.length }),
    figure(`${name}: failure lines lost by compression`, 'lines', lost(compressed), {
      name: 'lost by the digest',
      value: lost(digest),
    }),
  ];
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

// The compression of logs: by the kind of command, only what tells nothing, never a failure.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { outputKindOf, type OutputKind } from '../../../../src/core/output/commandKind';
import { compressOutput, looksLikeFailure } from '../../../../src/core/output/compress';
import { LOGS } from '../../../support/logs';
import { withTools } from '../../../support/toolTest';

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield await Promise.resolve(line);
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `step ${from + at}`);

describe('B07 compressOutput', () => {
  function check(
    name: string,
    kind: OutputKind,
    lines: readonly string[],
    expected: readonly string[] | undefined,
  ): void {
    it(name, async () => {
      const compressed = await compressOutput(each(lines), kind, 'c1');
      assert.deepEqual(compressed?.split('\n').slice(0, -1), expected);
    });
  }
  const marker = (count: number) =>
    `[... ${count} lines without a failure left out; read them with the tool output, id "c1" ...]`;
  check('source is left alone', 'source', numbered(1, 500), undefined);
  check('so is what nobody knows', 'other', numbered(1, 500), undefined);
  check(
    'a log keeps its ends and each failure with a line around',
    'log',
    [...numbered(1, 200), 'ERROR: it broke', ...numbered(201, 400)],
    [...numbered(1, 40), marker(159), 'step 200', 'ERROR: it broke', 'step 201', marker(139), ...numbered(341, 400)],
  );
  check('a log of a hundred lines stays', 'log', numbered(1, 100), numbered(1, 100));
  check(
    'long runs of equal lines become a count',
    'log',
    ['a', 'a', 'b', 'b', 'b', 'b', 'c'],
    ['a', 'a', 'b', '[the line above 3 more times]', 'c'],
  );
  check(
    'a search loses repeated lines only',
    'search',
    [...numbered(1, 300), 'x', 'x', 'x', ...numbered(301, 400)],
    [...numbered(1, 300), 'x', '[the line above 2 more times]', ...numbered(301, 400)],
  );
  check(
    'what stays too long is given up',
    'log',
    Array.from({ length: 9_000 }, (_, at) => `error ${at} ${'x'.repeat(20)}`),
    undefined,
  );

  it('loses no failure, whatever the log', async () => {
    const noise = fc.constantFrom('   Compiling serde', '[INFO]', ' ✓ works', 'step', '');
    const failure = fc
      .tuple(
        fc.constantFrom('error: ', 'FAILED ', '✗ ', 'E   ', 'AssertionError ', 'panic at ', 'npm ERR! '),
        fc.nat(99),
      )
      .map(([words, at]) => `${words}${at}`);
    const run = fc.tuple(
      fc.oneof({ weight: 4, arbitrary: noise }, { weight: 1, arbitrary: failure }),
      fc.integer({ min: 1, max: 90 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 30 }),
        fc.constantFrom<OutputKind>('log', 'search'),
        async (runs, kind) => {
          const lines = runs.flatMap(([line, times]) => Array<string>(times).fill(line));
          const compressed = (await compressOutput(each(lines), kind, 'c1')) ?? '';
          const kept = compressed.split('\n');
          // In order: each run of failures is still there.
          let at = 0;
          for (const [place, line] of lines.entries()) {
            if (!looksLikeFailure(line) || lines[place - 1] === line) continue;
            at = kept.indexOf(line, at) + 1;
            assert.ok(at > 0, `lost: ${line}`);
          }
        },
      ),
    );
  });

  for (const { command, lines } of LOGS) {
    it(`${command}: loses no failure`, async () => {
      const compressed = await compressOutput(each(lines), outputKindOf(command), 'c1');
      assert.ok(compressed !== undefined && compressed.length <= lines.join('\n').length + 1);
      const kept = new Set(compressed.split('\n'));
      assert.deepEqual(
        lines.filter((line) => looksLikeFailure(line) && !kept.has(line)),
        [],
      );
    });
  }
});

describe('B07 outputKindOf', () => {
  const KINDS: Readonly<Record<OutputKind, readonly string[]>> = {
    source: ['cat a.ts', 'head -50 a', 'sed -n 1,20p a', 'git diff HEAD~1', 'git show abc', 'npm test | tail -50'],
    search: ['grep -rn foo src', 'rg foo', "rg 'a b' src", 'find . -name x', 'cat a | grep b', 'cd src && fd x'],
    log: [
      'npm test',
      'cd web && npm ci && npm run build',
      'CI=1 npx vitest run',
      'python -m pytest',
      './gradlew test 2>&1',
      'node_modules/.bin/tsc -p .',
      'timeout 60 cargo test',
      'sudo docker build .',
    ],
    other: [
      'ls',
      'sed s/a/b/ x',
      'git status',
      "npm test | grep 'a|b'",
      'cat a; npm test',
      'echo $(npm test)',
      'npm test > log',
      '',
      'bash -c "npm test; cat a"',
      'nosuch',
    ],
  };
  for (const [kind, commands] of Object.entries(KINDS)) {
    for (const command of commands)
      it(`${command || '(nothing)'} is ${kind}`, () => assert.equal(outputKindOf(command), kind));
  }
});

describe('B07 K16 the setting output.compress', () => {
  const makefile =
    'all:\n\t@for i in $$(seq 1 3000); do echo "compiling part $$i"; if [ $$i = 1500 ]; then echo "error: part 1500 broke"; fi; done\n';
  const run = { command: 'make' };

  it('is off by default: a long log becomes a digest', () =>
    withTools({ Makefile: makefile }, async ({ call }) => {
      const { text } = await call('bash', run);
      assert.match(text, /characters left out here/);
      assert.doesNotMatch(text, /part 1500 broke/);
    }));

  it('keeps the failure in the middle, and the whole is stored', () =>
    withTools(
      { Makefile: makefile },
      async ({ call }) => {
        const { text, wholeChars } = await call('bash', run);
        assert.match(
          text,
          /^compiling part 1\n[^]*\ncompiling part 40\n\[\.\.\. 1459 lines without a failure left out; [^]*\ncompiling part 1500\nerror: part 1500 broke\ncompiling part 1501\n\[\.\.\. 1439 lines [^]*\ncompiling part 3000\n$/,
        );
        assert.ok(wholeChars > 50_000);
        assert.match((await call('output', { id: 'c1', offset: 700, limit: 1 })).text, /compiling part 700/);
      },
      { settings: { 'output.compress': true } },
    ));

  it('leaves alone what would pass whole', () =>
    withTools(
      { Makefile: makefile.replace('3000', '1200') },
      async ({ call }) => {
        assert.equal((await call('bash', run)).text.split('\n').length, 1_201);
      },
      { settings: { 'output.compress': true } },
    ));
});

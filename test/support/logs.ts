// Logs as builds and tests write them, with failures in the middle: for the test and the bench of compression.

export interface Log {
  readonly command: string;
  readonly lines: readonly string[];
}

const repeat = (count: number, line: (at: number) => string | readonly string[]): string[] =>
  Array.from({ length: count }, (_, at) => line(at)).flat();
const in3 = (at: number): string => (((at * 7919) % 997) / 1000).toFixed(3);

/** Each is longer than what passes whole. */
export const LOGS: readonly Log[] = [
  {
    command: 'npm test',
    lines: [
      '> shop@1.0.0 test',
      '> vitest run',
      ...repeat(700, (at) => ` ✓ src/cart/part${at}.test.ts > adds an item (${in3(at)} s)`),
      ...repeat(3, (at) => [
        ` ✗ src/total.test.ts > rounds case ${at}`,
        `   AssertionError: expected ${at}.5 to equal ${at}`,
        `     at src/total.test.ts:${40 + at}:12`,
      ]),
      ...repeat(700, (at) => ` ✓ src/order/part${at}.test.ts > keeps its place (${in3(at)} s)`),
      ' Tests  3 failed | 1400 passed (1403)',
    ],
  },
  {
    command: 'npx tsc -p .',
    lines: repeat(500, (at) => [
      `src/generated/model${at}.ts(${at + 3},7): error TS2322: Type 'string' is not assignable to type 'number'.`,
    ]),
  },
  {
    command: 'python -m pytest -v',
    lines: [
      '============================= test session starts ==============================',
      ...repeat(
        800,
        (at) =>
          `tests/test_part${at % 40}.py::test_case_${at} PASSED${' '.repeat(20)}[${String(at % 100).padStart(3)}%]`,
      ),
      'tests/test_money.py::test_round FAILED',
      '=================================== FAILURES ===================================',
      '    def test_round():',
      '>       assert total([0.1, 0.2]) == 0.3',
      'E       assert 0.30000000000000004 == 0.3',
      ...repeat(300, (at) => `tests/test_late${at}.py::test_case_${at} PASSED`),
      '=================== 1 failed, 1100 passed in 12.34s ===================',
    ],
  },
  {
    command: 'cargo build 2>&1',
    lines: [
      ...repeat(900, (at) => `   Compiling crate-${at} v0.${at % 10}.${at % 7}`),
      'error[E0308]: mismatched types',
      '  --> src/main.rs:12:18',
      '   |         ^^^^ expected `u32`, found `String`',
      ...repeat(500, (at) => `   Compiling late-${at} v1.0.${at}`),
      'error: could not compile `shop` due to 1 previous error',
    ],
  },
  {
    command: 'mvn -B verify',
    lines: [
      ...repeat(400, (at) => [
        `[INFO] Downloading from central: org/example/part${at}/1.0/part${at}-1.0.jar`,
        '[INFO] '.trimEnd(),
        '[INFO]',
        '[INFO]',
      ]),
      '[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE! - in CartTest',
      '[ERROR] CartTest.total:41 expected: <3> but was: <2>',
      ...repeat(300, (at) => `[INFO] Tests run: ${at}, time elapsed: ${in3(at)} s - in Part${at}Test`),
      '[INFO] BUILD FAILURE',
    ],
  },
];

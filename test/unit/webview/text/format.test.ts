// Numbers, times and titles as people read them.
import assert from 'node:assert/strict';
import {
  countOf,
  formatCount,
  formatDuration,
  pastTense,
  presentTense,
  splitPath,
} from '../../../../webview/text/format';

describe('words of the panel', () => {
  function check(name: string, actual: readonly unknown[], expected: readonly unknown[]): void {
    it(name, () => assert.deepEqual(actual, expected));
  }

  check('durations', [40, 999, 1_400, 59_400, 61_000, 3_720_000].map(formatDuration), [
    '0.0 s',
    '1.0 s',
    '1 s',
    '59 s',
    '1 min 1 s',
    '1 h 2 min',
  ]);
  check('counts', [0, 999, 1_000, 1_250, 35_400, 999_499, 999_500, 1_400_000].map(formatCount), [
    '0',
    '999',
    '1k',
    '1.3k',
    '35k',
    '999k',
    '1M',
    '1.4M',
  ]);
  check(
    'plurals',
    [countOf(1, 'file'), countOf(2, 'match', 'matches'), countOf(1_200, 'line')],
    ['1 file', '2 matches', '1,200 lines'],
  );
  check('past', ['Read src/a.ts', 'Run npm test', 'Search for x', 'npm test', ''].map(pastTense), [
    'Read src/a.ts',
    'Ran npm test',
    'Searched for x',
    'npm test',
    '',
  ]);
  check('present', ['Edit src/a.ts', 'constructor'].map(presentTense), ['Editing src/a.ts', 'constructor']);
  check('paths', ['src/a.ts', 'a.ts', 'C:\\w\\a.ts', 'src/'].map(splitPath), [
    { folder: 'src/', name: 'a.ts' },
    { folder: '', name: 'a.ts' },
    { folder: 'C:\\w\\', name: 'a.ts' },
    { folder: 'src/', name: '' },
  ]);
});

// The few words beside a call's title.
import assert from 'node:assert/strict';
import type { Display } from '../../../../src/common/display';
import { summarize } from '../../../../webview/displays/summary';

const FILE = { kind: 'file', path: 'a.ts', totalLines: 120 } as const;
const SHELL = { kind: 'shell', command: 'x', cwd: '', tail: '', moreChars: 0 } as const;

describe('O20 summary of a display', () => {
  function check(expected: string, display: Display): void {
    it(`${display.kind}: ${expected || 'nothing'}`, () => assert.equal(summarize(display), expected));
  }

  check('', { kind: 'text', text: 'x' });
  check('120 lines', { ...FILE, startLine: 1, endLine: 120 });
  check('lines 5–20 of 120', { ...FILE, startLine: 5, endLine: 20 });
  check('empty', { ...FILE, startLine: 1, endLine: 0, totalLines: 0 });
  check('nothing found', { kind: 'files', paths: [], more: 0 });
  check('12 files', { kind: 'files', paths: ['a', 'b'], more: 10 });
  check('no matches', { kind: 'matches', groups: [], total: 0, more: 0 });
  check('3 matches in 1 file', { kind: 'matches', groups: [{ path: 'a', count: 3, lines: [] }], total: 3, more: 0 });
  check('+2 −1', { kind: 'diff', files: [{ path: 'a', change: 'edited', added: 2, removed: 1, hunks: [] }] });
  check('', SHELL);
  check('', { ...SHELL, exit: { code: 0, timedOut: false } });
  check('exit code 2', { ...SHELL, exit: { code: 2, timedOut: false } });
  check('timed out', { ...SHELL, exit: { code: null, signal: 'SIGTERM', timedOut: true } });
  check('ended by SIGKILL', { ...SHELL, exit: { code: null, signal: 'SIGKILL', timedOut: false } });
  check('1 of 2 done', {
    kind: 'todos',
    todos: [
      { id: '1', content: 'a', status: 'completed' },
      { id: '2', content: 'b', status: 'pending' },
    ],
  });
  check('0 of 1 answered', {
    kind: 'questions',
    questions: [{ question: 'q', header: '', options: [], multiple: false }],
    answers: [],
  });
});

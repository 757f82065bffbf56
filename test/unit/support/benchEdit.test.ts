// The scorer of edits: its verdicts, and the project's own cases, of which none may be wrong.
import assert from 'node:assert/strict';
import { parseCases, wholeCase, type EditCase } from '../../bench/edit/cases';
import { runCase, scoreOf } from '../../bench/edit/score';
import { verdictOf, type Verdict } from '../../bench/edit/verdict';
import { readSource } from '../../support/sourceTree';

const CASE: EditCase = {
  id: 'a',
  kind: 'k',
  lang: 'ts',
  src: 'own:a.ts',
  expect: 'apply',
  oldString: 'b();',
  newString: 'c();',
  content: 'a();\nif (x) {\n  b();\n}\n',
  accept: [[[14, 20, '  c();']]],
};

function check(what: string, text: string | undefined, expected: Verdict, about: Partial<EditCase> = {}): void {
  const edit = { ...CASE, ...about };
  it(what, () => assert.equal(verdictOf(edit, wholeCase(edit), text), expected));
}

describe('verdicts on edits', () => {
  check('as accepted', 'a();\nif (x) {\n  c();\n}\n', 'correct');
  check('refused', undefined, 'refused');
  check('nothing changed', CASE.content, 'refused');
  check('indented otherwise', 'a();\nif (x) {\n    c();\n}\n', 'cosmetic');
  check('indented otherwise where that is syntax', 'a();\nif (x) {\n    c();\n}\n', 'wrong', { lang: 'py' });
  check('a blank line more', 'a();\nif (x) {\n\n  c();\n}\n', 'cosmetic');
  check('a blank line more where that is syntax', 'a();\nif (x) {\n  c();\n\n}\n', 'cosmetic', { lang: 'md' });
  check('no final line break', 'a();\nif (x) {\n  c();\n}', 'cosmetic');
  check('another line ending', 'a();\nif (x) {\n  c();\r\n}\n', 'wrong');
  check('bytes outside', 'a(); \nif (x) {\n  c();\n}\n', 'wrong');
  check('another place', 'c();\nif (x) {\n  b();\n}\n', 'wrong');
});

describe('scores of edits', () => {
  it('are counted by what was expected', () => {
    const outcome = { id: 'a', kind: 'k', ms: 1, lines: 400, isHuge: false };
    const { total, byKind } = scoreOf([
      { ...outcome, expect: 'apply', verdict: 'correct' },
      { ...outcome, expect: 'apply', verdict: 'cosmetic' },
      { ...outcome, expect: 'refuse', kind: 'r', verdict: 'cosmetic' },
      { ...outcome, expect: 'either', kind: 'e', verdict: 'wrong', ms: 3 },
    ]);
    assert.deepEqual(total, {
      cases: 4,
      correctApplyPercent: 50,
      cosmeticPercent: 50,
      refusedApplyPercent: 0,
      wrongApplyPercent: 0,
      mergedPercent: 0,
      eitherWrongPercent: 100,
      wrongPercent: 25,
      refuseWrongPercent: 100,
      p50Ms: 1,
      p99Ms: 3,
      hugeP99Ms: NaN,
    });
    assert.deepEqual(byKind.k, { expect: 'apply', cases: 2, correct: 1, cosmetic: 1, refused: 0, wrong: 0 });
  });

  it('name the line that is no case', () => {
    assert.throws(() => parseCases(`${JSON.stringify(CASE)}\n{"id":1}\n`), /Line 2 is no edit case/);
  });

  it('are full for the project’s own cases', () => {
    const cases = parseCases(readSource('test/fixtures/edits.jsonl'));
    const missed = cases.map(runCase).filter(({ expect, verdict }) => {
      if (expect === 'either') return verdict === 'wrong' || verdict === 'cosmetic';
      return verdict !== (expect === 'apply' ? 'correct' : 'refused');
    });
    assert.deepEqual(missed, []);
  });
});

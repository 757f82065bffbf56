// Planned edits: one place or a refusal, and nothing outside of that place ever changes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices, toLf } from '../../../../src/core/edit/lines';
import { planEdit, planRewrite } from '../../../../src/core/edit/plan';
import { checkEdits as check } from '../../../support/editTest';

check('exact', [
  { what: 'replaces', text: 'a b c', old: 'b', new: 'X', after: 'a X c' },
  { what: 'deletes', text: 'a\nb\nc\n', old: 'b\n', new: '', after: 'a\nc\n' },
  { what: 'takes the new text literally', text: 'a', old: 'a', new: "$& $1 $$ $` $'", after: "$& $1 $$ $` $'" },
  { what: 'takes the old text literally', text: 'a.*b axxb', old: 'a.*b', new: 'X', after: 'X axxb' },
  { what: 'replaces all', text: 'aXbXc', old: 'X', new: 'XX', all: true, stage: 'multiOccurrence', after: 'aXXbXXc' },
  {
    what: 'replaces all without overlaps',
    text: 'aaaaa',
    old: 'aa',
    new: 'b',
    all: true,
    stage: 'multiOccurrence',
    after: 'bba',
  },
  { what: 'ignores a byte-order mark in what is sent', text: 'a', old: '\ufeffa', new: '\ufeffb', after: 'b' },
  { what: 'fills an empty file', text: '', old: '', new: 'a\n', after: 'a\n' },
  {
    what: 'refuses two places',
    text: 'x = 1;\ny\nx = 1;\n',
    old: 'x = 1;',
    new: 'z',
    refused: 'ambiguous',
    says: /2 places[\s\S]*line 1: x = 1;[\s\S]*line 3: x = 1;/,
  },
  { what: 'refuses places that overlap', text: 'aaa', old: 'aa', new: 'b', refused: 'ambiguous' },
  { what: 'never looks further after two places', text: 'foo\n  foo\n', old: 'foo', new: 'b', refused: 'ambiguous' },
  { what: 'refuses an empty old text', text: 'a', old: '', new: 'b', refused: 'empty', says: /use write/ },
  { what: 'refuses blanks', text: 'a\n\n\nb', old: '\n\n', new: 'b', refused: 'empty' },
  { what: 'refuses equal texts', text: 'a', old: 'a', new: 'a', refused: 'same' },
  { what: 'refuses texts that differ in line endings only', text: 'a\nb', old: 'a\nb', new: 'a\r\nb', refused: 'same' },
  {
    what: 'refuses a fuzzy edit that changes nothing',
    text: 'foo(1)\n',
    old: 'foo(1) \n',
    new: 'foo(1)\n',
    refused: 'same',
  },
]);

check('line endings', [
  { what: 'CRLF stays CRLF', text: 'a\r\nb\r\nc\r\n', old: 'b\n', new: 'x\ny\n', after: 'a\r\nx\r\ny\r\nc\r\n' },
  { what: 'LF stays LF', text: 'a\nb\n', old: 'b\r\n', new: 'x\r\ny\r\n', after: 'a\nx\ny\n' },
  {
    what: 'a mixed file keeps each line',
    text: 'a\r\nb\nc\r\nd\n',
    old: 'a\nb\nc\nd',
    new: 'a\nB\nc\nD',
    after: 'a\r\nB\nc\r\nD\n',
  },
  {
    what: 'a new line takes the ending of its neighbour',
    text: 'a\nb\r\nc\n',
    old: 'b\n',
    new: 'b\nnew\n',
    after: 'a\nb\r\nnew\nc\n',
  },
  { what: 'a lone CR is a character', text: 'a\rb\nc', old: 'a\rb', new: 'x', after: 'x\nc' },
  { what: 'a missing last line ending stays missing', text: 'a\nb', old: 'b', new: 'x\ny', after: 'a\nx\ny' },
  {
    what: 'a last line grows by the ending of the line before',
    text: 'a\r\nb',
    old: 'b',
    new: 'b\nc',
    after: 'a\r\nb\r\nc',
  },
  {
    what: 'a last line without an ending is found with one',
    text: 'one\ntwo',
    old: 'two\n',
    new: '2\n',
    stage: 'lineTrimmed',
    after: 'one\n2',
  },
]);

check('layout of lines', [
  {
    what: 'blanks at the end of a line in the file stay where the line stays',
    text: 'foo()  \nbar()\n',
    old: 'foo()\nbar()',
    new: 'foo()\nbaz()',
    stage: 'lineTrimmed',
    after: 'foo()  \nbaz()\n',
  },
  {
    what: 'a shifted block is shifted back',
    text: 'class A {\n    one();\n    two();\n}\n',
    old: '  one();\n  two();',
    new: '  one();\n  if (x) {\n    two();\n  }',
    stage: 'indentationFlexible',
    after: 'class A {\n    one();\n    if (x) {\n      two();\n    }\n}\n',
  },
  {
    what: 'a block written too deep comes up',
    text: 'one();\ntwo();\n',
    old: '  one();\n  two();',
    new: '  one();\n  2();',
    stage: 'indentationFlexible',
    after: 'one();\n2();\n',
  },
  {
    what: 'spaces for tabs',
    text: '\tone();\n\t\ttwo();\n',
    old: '    one();\n        two();',
    new: '    one();\n        2();\n            3();',
    stage: 'indentationFlexible',
    after: '\tone();\n\t\t2();\n\t\t\t3();\n',
  },
  {
    what: 'tabs for spaces',
    text: '  one();\n    two();\n',
    old: '\tone();\n\t\ttwo();',
    new: '\tone();\n\t\t2();',
    stage: 'indentationFlexible',
    after: '  one();\n    2();\n',
  },
  {
    what: 'a new text that stands right already is not moved',
    text: '    one();\n    two();\n',
    old: 'one();\ntwo();',
    new: '    one();\n    2();',
    stage: 'indentationFlexible',
    after: '    one();\n    2();\n',
  },
  {
    what: 'a block wrapped by the model keeps its depth',
    text: '        f = 1\n    if m:\n        t()\n    w()\n',
    old: '    f = 1\nif m:\n    t()\nw()',
    new: '    f = 1\nif n:\n    if m:\n        t()\nw()',
    stage: 'indentationFlexible',
    after: '        f = 1\n    if n:\n        if m:\n            t()\n    w()\n',
  },
  {
    what: 'CRLF stays',
    text: '  one();\r\n  two();\r\n',
    old: 'one();\ntwo();',
    new: 'one();\n2();',
    stage: 'indentationFlexible',
    after: '  one();\r\n  2();\r\n',
  },
  {
    what: 'the place with the right indentation wins',
    text: '  foo() \n    foo() \n',
    old: '    foo()  \n',
    new: '    bar()\n',
    stage: 'lineTrimmed',
    after: '  foo() \n    bar()\n',
  },
  { what: 'refuses two places', text: '  foo();\n  foo();\n', old: '   foo();', new: '   x', refused: 'ambiguous' },
  {
    what: 'refuses indentation that no rule explains',
    text: 'one();\n   two();\n six();\n',
    old: '  one();\n  two();\n      six();',
    new: 'x',
    refused: 'missing',
  },
  { what: 'refuses a block that says nothing', text: 'a {\n  }\n', old: '    }', new: '', refused: 'missing' },
  {
    what: 'refuses a block whose middle differs',
    text: 'a() {\n  real();\n}\n',
    old: 'a() {\n  made_up();\n}',
    new: 'x',
    refused: 'missing',
    says: /Line 2: the file has `··real\(\);`, old_string has `··made_up\(\);`/,
  },
  { what: 'does not replace all', text: ' foo() \n', old: '  foo()', new: 'x', all: true, refused: 'missing' },
]);

check('several edits', [
  {
    what: 'count in the text before',
    text: 'a b c',
    edits: [
      { oldString: 'c', newString: 'a' },
      { oldString: 'a', newString: 'c' },
    ],
    after: 'c b a',
  },
  {
    what: 'may touch',
    text: 'ab',
    edits: [
      { oldString: 'a', newString: 'x' },
      { oldString: 'b', newString: 'y' },
    ],
    after: 'xy',
  },
  {
    what: 'must not overlap',
    text: 'abc',
    edits: [
      { oldString: 'ab', newString: 'x' },
      { oldString: 'bc', newString: 'y' },
    ],
    refused: 'overlap',
  },
  {
    what: 'all or none',
    text: 'abc',
    edits: [
      { oldString: 'a', newString: 'x' },
      { oldString: 'nope', newString: 'y' },
    ],
    refused: 'missing',
    says: /^Edit 2 of 2 cannot be made, so none was: old_string is not in the file/,
  },
  {
    what: 'name the loosest stage',
    text: '  foo();\nbar',
    edits: [
      { oldString: 'bar', newString: 'x' },
      { oldString: '   foo();', newString: '   fox();' },
    ],
    stage: 'trimmedBoundary',
    after: '  fox();\nx',
  },
]);

check('refusals help', [
  {
    what: 'line numbers',
    text: 'one\ntwo\n',
    old: '     1\tone\n     2\tthree',
    new: 'x',
    refused: 'missing',
    says: /Line 2: the file has `two`, old_string has `three`/,
  },
  { what: 'escapes', text: 'a\nb', old: 'a\\nc', new: 'x', refused: 'missing', says: /real line breaks/ },
  {
    what: 'invisible differences',
    text: 'x\n\tfoo(1);\n',
    old: '  foo(2);',
    new: 'x',
    refused: 'missing',
    says: /Line 2: the file has `→foo\(1\);`, old_string has `··foo\(2\);`/,
  },
  {
    what: 'nothing alike',
    text: 'abc\n',
    old: 'entirely different',
    new: 'x',
    refused: 'missing',
    says: /Nothing similar/,
  },
]);

describe('planEdit reports', () => {
  it('the diff, the stage and the lines', () => {
    const planned = planEdit('f', 'one\n  two();\nthree\n', [{ oldString: 'two(); \n', newString: '2();\n' }]);
    assert.ok(planned.ok);
    const { diff, stage, places, splices } = planned;
    assert.deepEqual(
      { diff: { ...diff, match: { ...diff.match, similarity: 0 } }, stage, places, splices },
      {
        diff: {
          path: 'f',
          change: 'edited',
          added: 1,
          removed: 1,
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: [
                { sign: ' ', text: 'one' },
                { sign: '-', text: '  two();' },
                { sign: '+', text: '  2();' },
                { sign: ' ', text: 'three' },
              ],
            },
          ],
          match: { stage: 'trimmedBoundary', similarity: 0 },
        },
        stage: 'trimmedBoundary',
        places: [{ startLine: 2, endLine: 2 }],
        splices: [{ start: 6, end: 9, text: '2' }],
      },
    );
  });
});

const line = fc.stringMatching(/^[ \t]{0,4}[ab(){}$é😀]{0,4}[ \t]{0,2}$/u);
const texts = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 })
  .map((lines) => lines.map((parts) => parts.join('')).join(''));

describe('planEdit properties', () => {
  it('an exact edit changes its place and nothing else', () =>
    fc.assert(
      fc.property(texts, texts, fc.nat(), fc.nat(), (text, newString, a, b) => {
        const lf = toLf(text);
        const start = a % (lf.length + 1);
        const oldString = lf.slice(start, start + (b % (lf.length - start + 1)));
        const planned = planEdit('f', text, [{ oldString, newString }]);
        if (!planned.ok) return assert.notEqual(planned.kind, 'missing');
        assert.equal(toLf(planned.text), lf.slice(0, start) + toLf(newString) + lf.slice(start + oldString.length));
        assert.equal(applySplices(text, planned.splices), planned.text);
      }),
    ));

  it('line endings outside of the place stay', () =>
    fc.assert(
      fc.property(texts, texts, texts, (before, after, newString) => {
        const text = `${before}<here>\n${after}`;
        const planned = planEdit('f', text, [{ oldString: '<here>', newString }]);
        if (!planned.ok) return assert.fail(planned.reason);
        assert.ok(planned.text.startsWith(before) && planned.text.endsWith(`\n${after}`));
      }),
    ));

  it('never throws, and never changes a text without saying so', () =>
    fc.assert(
      fc.property(texts, texts, texts, fc.boolean(), (text, oldString, newString, replaceAll) => {
        const planned = planEdit('f', text, [{ oldString, newString, replaceAll }]);
        if (!planned.ok) return assert.ok(planned.reason.length > 0);
        assert.notEqual(planned.text, text);
        assert.equal(applySplices(text, planned.splices), planned.text);
      }),
    ));

  it('changes hundreds of thousands of places at once', () => {
    const planned = planEdit('f', 'a b '.repeat(300_000), [{ oldString: 'a', newString: 'c', replaceAll: true }]);
    assert.equal(planned.ok && planned.text, 'c b '.repeat(300_000));
  });

  it('a rewrite gives the new text in the file’s own line endings', () =>
    fc.assert(
      fc.property(texts, texts.map(toLf), (text, newText) => {
        const planned = planRewrite('f', text, newText);
        if (!planned.ok) return assert.equal(toLf(text), newText);
        assert.equal(toLf(planned.text), newText);
        if (!text.includes('\n') || !/(?<!\r)\n/.test(text)) return;
        if (!text.includes('\r\n')) assert.equal(planned.text, newText);
      }),
    ));
});

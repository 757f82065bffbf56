// What holds for every edit, whatever the model sends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices, toLf, viewText, type TextView } from '../../../../src/core/edit/lines';
import { planEdit, type PlannedEdit } from '../../../../src/core/edit/plan';
import { anchorsOf, regionsHolding, regionsNear, type Region } from '../../../../src/core/edit/regions';
import { inkOf } from '../../../../src/core/edit/ink';

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'kappa'];
const statement = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS), fc.nat(9))
  .map(([one, two, number]) => `${one}.${two}(“${two}”, '${number}');`);
const line = fc.tuple(
  fc.constantFrom('', '  ', '    ', '\t'),
  fc.oneof(statement, fc.constantFrom('', '{', '}', '// the comment of a line', '// a comment of the line')),
  fc.constantFrom('', '', '  '),
  fc.constantFrom('\n', '\n', '\r\n'),
);
const file = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(line, { minLength: 3, maxLength: 25 }), fc.boolean())
  .map(([mark, lines, endsOpen]) => {
    const text = mark + lines.map((parts) => parts.join('')).join('');
    return endsOpen ? text.replace(/\r?\n$/, '') : text;
  });

/** What a model makes of a block: it is the same to a reader, or nearly so. */
const slip = fc.constantFrom<(block: string) => string>(
  (block) => block,
  (block) => block.replace(/[ \t]+$/gm, ''),
  (block) => block.replace(/^/gm, '  '),
  (block) => block.replace(/^( {2}|\t)/gm, ''),
  (block) => block.replace(/[“”]/g, '"'),
  (block) => block.replace(/'/g, '"'),
  (block) => block.replace(/\n+/g, '\n'),
  (block) => block.replace(/"/g, '\\"'),
  (block) => JSON.stringify(block).slice(1, -1),
  (block) => `\`\`\`\n${block}\n\`\`\``,
  (block) => block.replace(/alpha/, 'aplha'),
  (block) => block.replace(/the comment/, 'some comment'),
  (block) =>
    block
      .split('\n')
      .map((text, at) => `${at + 1}\t${text}`)
      .join('\n'),
);
const edit = fc
  .tuple(file, fc.nat(), fc.integer({ min: 1, max: 8 }), slip, fc.constantFrom(...WORDS), fc.boolean())
  .map(([text, at, count, distort, word, replaceAll]) => {
    const lines = toLf(text.replace(/^\ufeff/, '')).split('\n');
    const block = lines.slice(at % lines.length, (at % lines.length) + count).join('\n');
    const changed = block.replace(new RegExp(`\\b${word}\\b`), 'omega').replace(/\{$/m, '{\n  added();');
    return { text, request: { oldString: distort(block), newString: distort(changed), replaceAll } };
  });

/** The lines that a splice touches, as they are before. */
function outside(text: string, { splices }: PlannedEdit): readonly [head: string, tail: string] {
  return [text.slice(0, splices[0]?.start), text.slice(splices.at(-1)?.end)];
}

describe('every edit', () => {
  it('leaves every byte outside of its spans', () => {
    fc.assert(
      fc.property(edit, ({ text, request }) => {
        const planned = planEdit('f', text, [request]);
        if (!planned.ok) return;
        const [head, tail] = outside(text, planned);
        assert.ok(planned.text.startsWith(head) && planned.text.endsWith(tail));
        assert.equal(applySplices(text, planned.splices), planned.text);
        const [first, last] = [planned.places[0]?.startLine ?? 0, planned.places.at(-1)?.endLine ?? 0];
        const view = viewText(text);
        assert.ok((planned.splices[0]?.start ?? 0) >= (view.starts[first - 1] ?? 0), 'starts before its place');
        assert.ok((planned.splices.at(-1)?.end ?? 0) <= (view.starts[last] ?? text.length), 'ends behind its place');
      }),
      { numRuns: 500 },
    );
  });

  it('is taken back by the opposite splices', () => {
    fc.assert(
      fc.property(edit, ({ text, request }) => {
        const planned = planEdit('f', text, [request]);
        if (!planned.ok) return;
        let shift = 0;
        const opposite = planned.splices.map(({ start, end, text: inserted }) => {
          const splice = { start: start + shift, end: start + shift + inserted.length, text: text.slice(start, end) };
          shift += inserted.length - (end - start);
          return splice;
        });
        assert.equal(applySplices(planned.text, opposite), text);
      }),
    );
  });

  it('is planned the same twice, and a refusal says why', () => {
    fc.assert(
      fc.property(edit, ({ text, request }) => {
        const planned = planEdit('f', text, [request]);
        assert.deepEqual(planEdit('f', text, [request]), planned);
        if (!planned.ok) assert.ok(planned.reason.length > 0);
      }),
    );
  });

  it('never throws, whatever the texts are', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({
        unit: fc.constantFrom('a', ' ', '\t', '\n', '\r', '\\', '"', "'", '`', '{', '1', '|', '“', '\u0301', '\ud83d'),
      }),
    );
    fc.assert(
      fc.property(anything, anything, anything, fc.boolean(), (text, oldString, newString, replaceAll) => {
        const planned = planEdit('f.md', text, [{ oldString, newString, replaceAll }]);
        if (planned.ok) assert.equal(applySplices(text, planned.splices), planned.text);
      }),
      { numRuns: 1000 },
    );
  });

  it('brings no line ending that stands nowhere in the file', () => {
    fc.assert(
      fc.property(edit, ({ text, request }) => {
        const planned = planEdit('f', text, [request]);
        if (!planned.ok || !text.includes('\n')) return;
        assert.equal(planned.text.includes('\r\n') && !text.includes('\r\n'), false);
        if (!/(?<!\r)\n/.test(text)) assert.doesNotMatch(planned.text, /(?<!\r)\n/);
      }),
    );
  });

  it('needs several edits of a call to be as they are one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 6 }), (words) => {
        const unique = [...new Set(words)];
        const text = unique.map((word) => `${word}();\n`).join('');
        const edits = unique.map((word) => ({ oldString: `${word}()`, newString: `${word}2()` }));
        const together = planEdit('f', text, edits);
        const oneByOne = edits.reduce((before, each) => {
          const planned = planEdit('f', before, [each]);
          return planned.ok ? planned.text : assert.fail(planned.reason);
        }, text);
        assert.equal(together.ok && together.text, oneByOne);
        assert.equal(planEdit('f', text, [...edits, { oldString: 'nowhere', newString: '' }]).ok, false);
      }),
    );
  });
});

describe('work', () => {
  const block = `  rareWordOfTheBlock(one);\n  second(line);\n`;
  const fileOf = (lines: number) => `${'  filler(line, of, the, file);\n'.repeat(lines)}${block}`;

  /** Lines that are folded and compared: the only work beside native search that grows with the file. */
  function linesFolded(lines: number): number {
    return lengthOf(regionsIn(viewText(fileOf(lines)), block).near);
  }

  it('does not grow with the file where the block has a rare word', () => {
    assert.equal(linesFolded(100_000), linesFolded(10_000));
  });

  it('is at most each line once', () => {
    const common = '  filler(line, of, the, file);\n'.repeat(3);
    for (const lines of [10, 1000, 10_000]) {
      const view = viewText(fileOf(lines));
      const folded = lengthOf(regionsIn(view, common).near);
      assert.ok(folded <= view.starts.length);
    }
  });
  it('looks for the block itself beside its rarest word only', () => {
    const view = viewText(fileOf(10_000));
    const { near, holding } = regionsIn(view, block);
    assert.deepEqual(holding, near);
    assert.deepEqual(regionsIn(view, `${block}anotherWord();\n`).holding, []);
  });

  it('looks everywhere near where a word may stand with something unseen inside', () => {
    assert.equal(regionsIn(viewText(`${fileOf(100)}a\u200bb\n`), block).holding, undefined);
  });
});

function regionsIn(view: TextView, block: string) {
  const ink = inkOf(block);
  const anchors = anchorsOf(view, ink, block.split('\n'));
  return { near: regionsNear(view, ink, anchors), holding: regionsHolding(view, ink, anchors) };
}

function lengthOf(regions: readonly Region[]): number {
  return regions.reduce((sum, { from, to }) => sum + to - from, 0);
}

// Each matcher by its name: what it finds, how that is written, and what it leaves alone.
import { checkEdits } from '../../../support/editTest';

const CART = `export function total(cart: Cart): number {
  // Sum of the lines, without shipping.
  let sum = 0;
  for (const line of cart.lines) {
    sum += line.price * line.count;
  }
  return sum;
}
`;

checkEdits('E1 simple', [
  { what: 'finds what is written exactly', text: 'a\nb\nc\n', old: 'b', new: 'x', after: 'a\nx\nc\n' },
  { what: 'finds parts of lines', text: 'foo(bar, baz)', old: 'r, b', new: 'r; b', after: 'foo(bar; baz)' },
]);

checkEdits('E2 lineTrimmed', [
  {
    what: 'ignores blanks at line ends, and keeps the file’s where a line stays',
    text: 'let a = 1;  \nlet b = 2;\t\n',
    old: 'let a = 1;\nlet b = 2;',
    new: 'let a = 1;\nlet b = 3;',
    stage: 'lineTrimmed',
    after: 'let a = 1;  \nlet b = 3;\n',
  },
  {
    what: 'takes away blanks that the model took away',
    text: 'let a = 1; \n  \nlet b = 2;\n',
    old: 'let a = 1;\n    \nlet b = 2;',
    new: 'let a = 1;\n\nlet b = 2;',
    stage: 'lineTrimmed',
    after: 'let a = 1; \n\nlet b = 2;\n',
  },
]);

checkEdits('E3 blockAnchor', [
  {
    what: 'tolerates one mistyped name, and keeps the file’s',
    text: CART,
    old: '  let sum = 0;\n  for (const line of cart.lines) {\n    sum += line.price * line.cuont;\n  }\n',
    new: '  let sum = 1;\n  for (const line of cart.lines) {\n    sum += line.price * line.cuont;\n  }\n',
    stage: 'blockAnchor',
    after: CART.replace('sum = 0', 'sum = 1'),
  },
  {
    what: 'never on first and last line alone',
    text: CART,
    old: '  let sum = 0;\n  while (more()) {\n    read();\n  }\n  return sum;\n',
    new: '  return 0;\n',
    refused: 'missing',
  },
  {
    what: 'not where the mistyped name is known in the file',
    text: `${CART}cuont();\n`,
    old: '  for (const line of cart.lines) {\n    sum += line.price * line.cuont;\n  }\n',
    new: '',
    refused: 'missing',
  },
  ...(
    [
      ['a twin', 'minimum(values: number[])', 'maximum(values: number[])'],
      ['a number', 'tier1.apply(values)', 'tier2.apply(values)'],
      ['a value in quotes', 'read("counter")', 'read("countre")'],
      ['a name that goes on', 'store.user(values)', 'store.users(values)'],
      ['a name with something before it', 'store.mount(values)', 'store.unmount(values)'],
      ['an operator', 'a.value < b.value', 'a.value > b.value'],
    ] as const
  ).map(([what, file, old]) => ({
    what: `not ${what}`,
    text: `begin here with it;\n${file};\nreturn the result;\n`,
    old: `begin here with it;\n${old};\nreturn the result;\n`,
    new: 'x\n',
    refused: 'missing' as const,
  })),
]);

checkEdits('E4 whitespaceNormalized', [
  {
    what: 'finds other blanks within lines',
    text: 'const a   = f(1,2);\nconst b = 3;\n',
    old: 'const a = f(1, 2);\nconst b = 3;\n',
    new: 'const a = f(1, 2);\nconst b = 4;\n',
    stage: 'whitespaceNormalized',
    after: 'const a   = f(1,2);\nconst b = 4;\n',
  },
  {
    what: 'finds lines that the model joined, and keeps them apart',
    text: 'import {\n  one,\n  two } from "x";\nlet three = 3;\n',
    old: 'import { one, two } from "x";\nlet three = 3;\n',
    new: 'import { one, two } from "x";\nlet three = 4;\n',
    stage: 'whitespaceNormalized',
    after: 'import {\n  one,\n  two } from "x";\nlet three = 4;\n',
  },
  {
    what: 'keeps blank lines that the model left out',
    text: 'let one = 1;\n\nlet two = 2;\nlet three = 3;\n',
    old: 'let one = 1;\nlet two = 2;\nlet three = 3;\n',
    new: 'let one = 1;\nlet two = 2;\nlet three = 4;\n',
    stage: 'whitespaceNormalized',
    after: 'let one = 1;\n\nlet two = 2;\nlet three = 4;\n',
  },
  {
    what: 'writes no blank lines that only the old text had',
    text: 'let one = 1;\nlet two = 2;\n',
    old: 'let one = 1;\n\nlet two = 2;\n',
    new: 'let one = 1;\n\nlet two = 3;\n',
    stage: 'whitespaceNormalized',
    after: 'let one = 1;\nlet two = 3;\n',
  },
  {
    what: 'finds another quote style and a missing semicolon',
    text: "let one = 'a';\nlet two = 'b';\nlet three = 3;\n",
    old: 'let one = "a"\nlet two = "b"\nlet three = 3;\n',
    new: 'let one = "a"\nlet two = "b"\nlet three = 4;\n',
    stage: 'whitespaceNormalized',
    after: "let one = 'a';\nlet two = 'b';\nlet three = 4;\n",
  },
  {
    what: 'does not take two words for one',
    text: 'return value(1);\nlet b = 2;\n',
    old: 'returnvalue(1);\nlet b = 2;\n',
    new: 'x',
    refused: 'missing',
  },
  { what: 'does not take a short line', text: 'f ( a );\n', old: 'f(a);', new: 'x', refused: 'missing' },
]);

checkEdits('E5 indentationFlexible', [
  {
    what: 'moves the new lines with the block',
    text: CART,
    old: 'for (const line of cart.lines) {\n  sum += line.price * line.count;\n}\n',
    new: 'for (const line of cart.lines) {\n  if (!line.isGift) {\n    sum += line.price * line.count;\n  }\n}\n',
    stage: 'indentationFlexible',
    after: CART.replace(
      '    sum += line.price * line.count;\n',
      '    if (!line.isGift) {\n      sum += line.price * line.count;\n    }\n',
    ),
  },
  {
    what: 'does not move a new text that stands right already',
    text: CART,
    old: 'let sum = 0;\nfor (const line of cart.lines) {\n',
    new: '  let sum = 1;\n  for (const line of cart.lines) {\n',
    stage: 'indentationFlexible',
    after: CART.replace('sum = 0', 'sum = 1'),
  },
  {
    what: 'writes tabs where the file has tabs',
    text: 'run() {\n\tthis.start();\n\tthis.stop();\n}\n',
    old: '    this.start();\n    this.stop();\n',
    new: '    this.start();\n    if (a) {\n        this.wait();\n    }\n    this.stop();\n',
    stage: 'indentationFlexible',
    after: 'run() {\n\tthis.start();\n\tif (a) {\n\t\tthis.wait();\n\t}\n\tthis.stop();\n}\n',
  },
  {
    what: 'is not found where no single rule explains the indentation',
    text: 'one();\n   two();\n six();\n',
    old: '  one();\n  two();\n      six();\n',
    new: 'x',
    refused: 'missing',
  },
]);

checkEdits('E6 escapedNormalized', [
  {
    what: 'unescapes quotes in both texts',
    text: 'const a = "one";\n',
    old: 'const a = \\"one\\";\n',
    new: 'const a = \\"two\\";\n',
    stage: 'escapedNormalized',
    after: 'const a = "two";\n',
  },
  {
    what: 'unescapes a whole text',
    text: 'if (a) {\n\tb("\\n");\n}\n',
    old: 'if (a) {\\n\\tb(\\"\\\\n\\");\\n}\\n',
    new: 'if (a) {\\n\\tc(\\"\\\\n\\");\\n}\\n',
    stage: 'escapedNormalized',
    after: 'if (a) {\n\tc("\\n");\n}\n',
  },
  {
    what: 'leaves a new text that is right already',
    text: 'if (a) {\n\tbegin("x");\n}\n',
    old: 'if (a) {\\n\\tbegin(\\"x\\");\\n}\\n',
    new: 'if (a) {\n\tbegin("\\n");\n}\n',
    stage: 'escapedNormalized',
    after: 'if (a) {\n\tbegin("\\n");\n}\n',
  },
  {
    what: 'leaves escapes that the file has',
    text: 'print("a\\n");\nprint("b");\n',
    old: 'print("a\\n");',
    new: 'print("c\\n");',
    after: 'print("c\\n");\nprint("b");\n',
  },
]);

checkEdits('E7 trimmedBoundary', [
  {
    what: 'drops blank lines around the block that the file has not',
    text: 'one();\ntwo();\nthree();\n',
    old: '\n\ntwo();\n\n',
    new: '\n\n2();\n\n',
    stage: 'trimmedBoundary',
    after: 'one();\n2();\nthree();\n',
  },
  {
    what: 'gives the first line the indentation that the model dropped',
    text: 'a {\n    first();\n    second();\n}\n',
    old: 'first();\n    second();\n',
    new: 'premier();\n    second();\n',
    after: 'a {\n    premier();\n    second();\n}\n',
  },
  {
    what: 'gives it to a whole line too',
    text: 'a {\n    first();  \n    second();\n}\n',
    old: 'first();\n    second();\n',
    new: 'premier();\n    second();\n',
    stage: 'trimmedBoundary',
    after: 'a {\n    premier();\n    second();\n}\n',
  },
]);

checkEdits('E8 contextAware', [
  {
    what: 'tolerates a reworded comment, and keeps the file’s words',
    text: CART,
    old: '  // Sum of all the lines, shipping excluded.\n  let sum = 0;\n  for (const line of cart.lines) {\n',
    new: '  // Sum of all the lines, shipping excluded.\n  let sum = 1;\n  for (const line of cart.lines) {\n',
    stage: 'contextAware',
    after: CART.replace('sum = 0', 'sum = 1'),
  },
  {
    what: 'tolerates a reworded sentence in a file of sentences',
    path: 'README.md',
    text: '# Usage\n\nStart it with the command below and wait.\n\nThen open the page in a browser.\n\nThat is all there is.\n',
    old: '# Usage\n\nStart it with the line below and wait.\n\nThen open the page in a browser.\n',
    new: '# Usage\n\nStart it with the line below and wait.\n\nThen close the page in a browser.\n',
    stage: 'contextAware',
    after:
      '# Usage\n\nStart it with the command below and wait.\n\nThen close the page in a browser.\n\nThat is all there is.\n',
  },
  {
    what: 'refuses a comment that the model rewrites too',
    text: CART,
    old: '  // Sum of all the lines, shipping excluded.\n  let sum = 0;\n  for (const line of cart.lines) {\n',
    new: '  // Sum with shipping.\n  let sum = 0;\n  for (const line of cart.lines) {\n',
    refused: 'missing',
  },
  {
    what: 'refuses another line of code',
    text: CART,
    old: '  let sum = 0;\n  for (const item of cart.lines) {\n    sum += line.price * line.count;\n',
    new: 'x',
    refused: 'missing',
    says: /Line 4: the file has `··for \(const line of/,
  },
  ...(
    [
      ['a twin’s comment', '// The smallest minimum of the values.', '// The smallest maximum of the values.'],
      ['another number', '// Step 1 of the whole list.', '// Step 2 of the whole list.'],
      ['another name', '// Not for usage by the callers.', '// Not for usageRemote by the callers.'],
      ['a twin’s word', '// The minimal width of the page.', '// The maximal width of the page.'],
      ['a directive', '#include <cart/lines.h>', '#include <cart/list.h>'],
    ] as const
  ).map(([what, file, old]) => ({
    what: `refuses ${what}`,
    text: `begin here with it;\n${file}\nreturn the result;\n`,
    old: `begin here with it;\n${old}\nreturn the result;\n`,
    new: `begin there with it;\n${old}\nreturn the result;\n`,
    refused: 'missing' as const,
  })),
  {
    what: 'refuses a block of nothing but comments',
    text: '/**\n * Reads the settings of the person.\n * @param name of the setting, with its section.\n */\n',
    old: '/**\n * Reads the options of the person.\n * @param name of the setting, with its section.\n */\n',
    new: '/**\n * Reads the options of the person.\n */\n',
    refused: 'missing',
  },
  {
    what: 'refuses when another place comes close',
    text: 'a();\n// The first of the two lists.\nsort(list, byName);\nreturn list.values();\nb();\n// The first of the two pages.\nsort(list, byName);\nreturn list.values();\n',
    old: '// The first of the two books.\nsort(list, byName);\nreturn list.values();\n',
    new: '// The first of the two books.\nsort(list, byName);\nreturn page.values();\n',
    refused: 'ambiguous',
  },
]);

checkEdits('E9 multiOccurrence', [
  {
    what: 'changes every one',
    text: 'a b a b',
    old: 'a',
    new: 'aa',
    all: true,
    stage: 'multiOccurrence',
    after: 'aa b aa b',
  },
  { what: 'only exact ones', text: 'foo(1)\nfoo( 1 )\n', old: 'foo(2)', new: 'x', all: true, refused: 'missing' },
]);

checkEdits('E10 quoteTolerant', [
  {
    what: 'keeps the file’s typographic characters',
    text: '// It’s “fast” – really\nlet a = 1;\n',
    old: '// It\'s "fast" - really\nlet a = 1;\n',
    new: '// It\'s "fast" - really\nlet a = 2;\n',
    stage: 'quoteTolerant',
    after: '// It’s “fast” – really\nlet a = 2;\n',
  },
  {
    what: 'writes none into a file that has none',
    text: "let a = 'one';\nlet b = 'two';\n",
    old: 'let a = ‘one’;\nlet b = ‘two’;\n',
    new: 'let a = ‘one’;\nlet c = ‘two’;\n',
    stage: 'quoteTolerant',
    after: "let a = 'one';\nlet c = 'two';\n",
  },
  {
    what: 'changes the words of a line and keeps its quotes',
    text: 'say “yes” or “no” to it;\n',
    old: 'say "yes" or "no" to it;\n',
    new: 'say "yes" or "never" to it;\n',
    stage: 'quoteTolerant',
    after: 'say “yes” or “never” to it;\n',
  },
  {
    what: 'finds a part of a line',
    text: 'x = f(“yes”, “no”);\n',
    old: 'f("yes", "no")',
    new: 'f("yes", "never")',
    stage: 'quoteTolerant',
    after: 'x = f(“yes”, “never”);\n',
  },
  {
    what: 'keeps accents composed or decomposed as the file has them',
    text: '// cafe\u0301 de Paris\nlet a = 1;\n',
    old: '// caf\u00e9 de Paris\nlet a = 1;\n',
    new: '// caf\u00e9 de Paris\nlet a = 2; // caf\u00e9\n',
    stage: 'quoteTolerant',
    after: '// cafe\u0301 de Paris\nlet a = 2; // cafe\u0301\n',
  },
  {
    what: 'writes no no-break blanks into code',
    text: 'let one = 1;\nlet two = 2;\n',
    old: 'let\u00a0one = 1;\nlet two = 2;\n',
    new: 'let\u00a0one = 3;\nconst\u00a0two = 2;\n',
    stage: 'quoteTolerant',
    after: 'let one = 3;\nconst two = 2;\n',
  },
]);

checkEdits('what models paste around a text', [
  {
    what: 'line numbers are taken off both texts',
    text: CART,
    old: '     6\t  }\n     7\t  return sum;\n',
    new: '     6\t  }\n     7\t  return -sum;\n',
    stage: 'lineNumbers+simple',
    after: CART.replace('return sum', 'return -sum'),
  },
  {
    what: 'line numbers are taken off the old text alone',
    text: CART,
    old: '6 |   }\n7 |   return sum;',
    new: '  }\n  return -sum;',
    stage: 'lineNumbers+simple',
    after: CART.replace('return sum', 'return -sum'),
  },
  {
    what: 'line numbers are taken off lines that the new text took over',
    text: CART,
    old: '     6\t  }\n     7\t  return sum;\n',
    new: '     6\t  }\n  done();\n     7\t  return sum;\n',
    stage: 'lineNumbers+simple',
    after: CART.replace('  return sum', '  done();\n  return sum'),
  },
  {
    what: 'numbers stay where not every line has one',
    text: CART,
    old: '6: }\n  return sum;',
    new: 'x',
    refused: 'missing',
  },
  {
    what: 'a code fence is taken off',
    text: CART,
    old: '```ts\n  return sum;\n```',
    new: '```ts\n  return -sum;\n```',
    stage: 'codeFence+simple',
    after: CART.replace('return sum', 'return -sum'),
  },
]);

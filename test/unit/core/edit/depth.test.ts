// Edits whose texts leave open how deep the new lines stand, where a blank line belongs, or whether the edit was made before.
import { checkEdits } from '../../../support/editTest';

const JOB = 'jobs:\n  docs:\n    steps:\n      - name: Build\n        run: make docs\n';
const LIST = '  [\n    {\n      "name": "first of all"\n    },\n    {\n      "name": "second one"\n    }\n  ]\n';

checkEdits('how deep new lines stand', [
  {
    what: 'one line lost its indentation, those below it have theirs: YAML that would become another document',
    path: 'ci.yml',
    text: JOB,
    old: 'run: make docs\n',
    new: 'run: make docs\n\n      - name: Deploy\n        run: make deploy\n',
    after: `${JOB}\n      - name: Deploy\n        run: make deploy\n`,
    stage: 'simple',
  },
  {
    what: 'the same, blanks at the line’s end besides',
    path: 'ci.yml',
    text: JOB.replace('docs\n', 'docs  \n').replace('make docs\n', 'make docs  \n'),
    old: 'run: make docs\n',
    new: 'run: make docs\n      - name: Deploy\n        run: make deploy\n',
    after: `${JOB.replace('make docs\n', 'make docs  \n')}      - name: Deploy\n        run: make deploy\n`,
    stage: 'trimmedBoundary',
  },
  {
    what: 'one line lost its indentation, and opens a block that is as deep as the file’s line by chance',
    path: 'a.py',
    text: 'def f():\n    while is_open:  \n        pass\n',
    old: 'while is_open:\n',
    new: 'while is_open:\n    count()\n',
    after: 'def f():\n    while is_open:  \n        count()\n        pass\n',
    stage: 'trimmedBoundary',
  },
  {
    what: 'one line lost its indentation, and what follows may belong to it or not',
    text: 'f(\n    first_argument,  \n    b\n)\n',
    old: 'first_argument,\n',
    new: 'first_argument,\n    second,\n',
    refused: 'unclear',
  },
  {
    what: 'all new lines lost their indentation',
    text: 'a {\n    first.call();  \n}\n',
    old: 'first.call();\n',
    new: 'first.call();\nsecond.call();\n',
    after: 'a {\n    first.call();  \n    second.call();\n}\n',
    stage: 'trimmedBoundary',
  },
  {
    what: 'a line that lost its indentation stands in the block again, as deep as in the file',
    text: LIST.replace('    },\n    {\n', '    },\n    {  \n'),
    old: '},\n    {\n      "name": "second one"',
    new: '},\n    {\n      "name": "between them"\n    },\n    {\n      "name": "second one"',
    after: LIST.replace('    },\n    {\n', '    },\n    {  \n      "name": "between them"\n    },\n    {\n'),
    stage: 'trimmedBoundary',
  },
  {
    what: 'nothing of the old text stays, and the new one is as deep as the file already',
    path: 'ci.yml',
    text: JOB,
    old: '- name: Build\n  run: make docs\n',
    new: '      - name: Test\n        run: make test\n',
    after: 'jobs:\n  docs:\n    steps:\n      - name: Test\n        run: make test\n',
    stage: 'indentationFlexible',
  },
]);

checkEdits('blank lines and line ends', [
  {
    what: 'blank lines that only the model has stand above and below both texts',
    text: 'first();\n\nsecond_call();\nthird_call();\nlast();\n',
    old: '\n\n\nsecond_call();\nthird_call();\n\n',
    new: '\n\n\nthird_call();\n\n',
    after: 'first();\n\nthird_call();\nlast();\n',
    stage: 'trimmedBoundary',
  },
  {
    what: 'a fence around the old text only takes its line break with it',
    text: 'before();\nmiddle_call();\n\nafter();\n',
    old: '```js\nmiddle_call();\n```',
    new: 'middle_call(2);\n',
    after: 'before();\nmiddle_call(2);\n\nafter();\n',
    stage: 'codeFence+simple',
  },
  {
    what: 'fences of which only the old one holds a blank line do not join lines',
    text: 'before();\nmiddle_call();\n\nafter();\n',
    old: '```js\nmiddle_call();\n\n```',
    new: '```js\nmiddle_call(2);\n```',
    after: 'before();\nmiddle_call(2);\n\nafter();\n',
    stage: 'codeFence+simple',
  },
]);

checkEdits('curly quotes of one kind in the old text, of the other in the new one', [
  {
    what: 'both are written as the file writes them',
    text: 'print("hello there");\nnext_call();\n',
    old: 'print(“hello there”);\nnext_call();\n',
    new: 'print(‘hello there’);\nnext_call();\n',
    after: "print('hello there');\nnext_call();\n",
    stage: 'quoteTolerant',
  },
]);

checkEdits('places that are another one', [
  {
    what: 'the edit was made before, and what it replaced stands elsewhere, indented differently',
    text: 'try {\n  read();\n} catch (error) {\n  return input.text;\n}\nif (x) {\n    } catch (error) {\n      return new List(input);\n    }\n',
    old: '} catch (error) {\n  return new List(input);\n}\n',
    new: '} catch (error) {\n  return input.text;\n}\n',
    refused: 'same',
  },
  {
    what: 'a name that ends in another letter is another name',
    text: 'mod tests {\n    use supex::everything;\n    use std::path::MAIN_SEPARATOR;\n    use std::fs;\n}\n',
    old: 'mod tests {\n    use super::everything;\n    use std::path::MAIN_SEPARATOR;\n    use std::fs;\n}\n',
    new: '',
    refused: 'missing',
  },
  {
    what: 'a function whose name is one slip away from the wanted one',
    text: 'function modal(list) {\n  const item = list.find((x) => x.id === 1);\n  return item.value;\n}\n',
    old: 'function model(list) {\n  const item = list.find((x) => x.id === 1);\n  return item.value;\n}\n',
    new: '',
    refused: 'missing',
  },
]);

const RULE = '  color: red;\n  margin: 0 auto;\n}\n';

checkEdits('a blank that means something', [
  {
    what: 'parts two selectors of CSS',
    path: 'a.css',
    text: `.card .title {\n${RULE}`,
    old: `.card.title {\n${RULE}`,
    new: '',
    refused: 'missing',
  },
  {
    what: 'lays out what stands around a combinator',
    path: 'a.css',
    text: `.card > .title {\n${RULE}`,
    old: `.card>.title {\n${RULE}`,
    new: `.card>.title {\n${RULE.replace('red', 'blue')}`,
    after: `.card > .title {\n${RULE.replace('red', 'blue')}`,
    stage: 'whitespaceNormalized',
  },
  {
    what: 'parts an option from its command',
    text: 'run_it foo -bar baz\nnext_command --all\n',
    old: 'run_it foo - bar baz\nnext_command --all\n',
    new: '',
    refused: 'missing',
  },
  {
    what: 'parts two signs that would be another one together',
    text: 'first_value = a - -b;\nnext_call();\n',
    old: 'first_value = a --b;\nnext_call();\n',
    new: '',
    refused: 'missing',
  },
  {
    what: 'parts the words of a shell script, beside every sign',
    path: 'a.sh',
    text: 'value= run_command --all\nnext_one\n',
    old: 'value=run_command --all\nnext_one\n',
    new: '',
    refused: 'missing',
  },
  {
    what: 'counts once in a shell script, however many there are',
    path: 'a.sh',
    text: 'run_command   --all\nnext_one\n',
    old: 'run_command --all\nnext_one\n',
    new: 'run_command --all\nlast_one\n',
    after: 'run_command   --all\nlast_one\n',
    stage: 'whitespaceNormalized',
  },
]);

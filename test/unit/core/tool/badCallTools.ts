// Schemas of the kind that tools have, for tests of what a call is told that does not fit: independent of what ours look like today.
import type { ObjectSchema, Tool } from '../../../../src/core/tool/tool';

const text = (description: string) => ({ type: 'string', description }) as const;
const filled = (description: string) => ({ type: 'string', description, minLength: 1 }) as const;
const whole = (description: string, maximum?: number) =>
  ({ type: 'integer', description, minimum: 1, ...(maximum === undefined ? {} : { maximum }) }) as const;
const flag = (description: string) => ({ type: 'boolean', description }) as const;
const listOf = (items: object, description: string) => ({ type: 'array', description, items }) as const;
const choice = (...allowed: readonly string[]) => ({ type: 'string', enum: allowed, description: 'Which' }) as const;
const object = (properties: object, ...required: readonly string[]) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;

const FILE = filled('Path of the file');
const REPLACEMENT = { old_string: text('As above'), new_string: text('As above'), replace_all: flag('As above') };
const OPTION = object({ label: filled('One to five words'), description: text('What it means') }, 'label');
const QUESTION = {
  question: filled('The whole question'),
  header: text('Its subject'),
  options: listOf(OPTION, 'All'),
};
const TODO = {
  id: text('Keeps an item apart'),
  content: { ...filled('The step'), maxLength: 400 },
  status: choice('pending', 'in_progress', 'completed'),
};

/** As a server declares it: open to further fields, with unions and constants. */
const ISSUE = {
  type: 'object',
  properties: {
    issue_number: { type: 'integer' },
    state: { enum: ['open', 'closed'] },
    labels: { type: 'array', items: { type: 'string' } },
    target: {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'file' }, path: { type: 'string' } },
          required: ['kind', 'path'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'url' }, url: { type: 'string', pattern: '^https?:' } },
          required: ['kind', 'url'],
        },
      ],
    },
    when: {
      oneOf: [
        { type: 'string', pattern: '^\\d{4}-' },
        { type: 'integer', minimum: 0 },
      ],
    },
  },
  required: ['issue_number'],
};

const SCHEMAS: Readonly<Record<string, object>> = {
  read: object({ file_path: FILE, offset: whole('First line'), limit: whole('Number of lines') }, 'file_path'),
  write: object({ file_path: FILE, content: text('The whole text') }, 'file_path', 'content'),
  edit: object(
    {
      file_path: FILE,
      old_string: text('The text to replace'),
      new_string: text('What stands there afterwards'),
      replace_all: flag('Replace every occurrence'),
      edits: {
        ...listOf(object(REPLACEMENT, 'old_string', 'new_string'), 'Several replacements in this file'),
        minItems: 1,
      },
    },
    'file_path',
  ),
  bash: object(
    {
      command: filled('The command'),
      description: text('What it does'),
      timeout: whole('Milliseconds it may take', 600_000),
      cwd: text('The folder to run in'),
    },
    'command',
  ),
  grep: object(
    {
      pattern: filled('The regular expression'),
      path: text('Where'),
      glob: text('Which files'),
      output_mode: choice('content', 'files_with_matches', 'count'),
      '-A': whole('Lines after each match'),
    },
    'pattern',
  ),
  glob: object({ pattern: filled('For example src/**/*.ts'), path: text('Where') }, 'pattern'),
  ls: object({ path: text('The folder'), ignore: listOf(text('A glob'), 'What to leave out') }),
  output: object({ id: filled('The call id'), limit: whole('Number of lines', 2_000) }, 'id'),
  question: object(
    { questions: listOf(object(QUESTION, 'question'), 'One to four questions, asked together') },
    'questions',
  ),
  todowrite: object({ todos: listOf(object(TODO, 'content', 'status'), 'All items, in order') }, 'todos'),
  issues: ISSUE,
};

export function toolNamed(name: string): Pick<Tool, 'name' | 'schema'> {
  return { name, schema: SCHEMAS[name] as ObjectSchema };
}

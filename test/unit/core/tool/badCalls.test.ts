// Calls as models really make them, wrong in one thing or another, and what each is told: the message alone must say what to send instead.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/common/json';
import { Inputs } from '../../../../src/core/tool/inputs';
import { toolNamed } from './badCallTools';

async function parse(name: string, input: JsonObject) {
  const inputs = new Inputs({ info: () => {}, warn: assert.fail, error: assert.fail });
  await inputs.load();
  return inputs.parse(toolNamed(name), { id: 'c1', name, input });
}

/** `accepted`: the corrected input that the message offers, which has to be good. */
function bad(name: string, input: JsonObject, lines: readonly string[], accepted?: string): void {
  it(`O02: ${name} ${JSON.stringify(input).slice(0, 100)}`, async () => {
    const head = `The input does not fit the schema of ${name}, so nothing was run:`;
    const offer = accepted === undefined ? [] : [`This would be accepted, if it is what you mean: ${accepted}`];
    assert.deepEqual(await parse(name, input), {
      objection: [head, ...lines.map((line) => `- ${line}`), ...offer].join('\n'),
    });
    if (accepted === undefined) return;
    const corrected = JSON.parse(accepted) as JsonObject;
    assert.deepEqual(await parse(name, corrected), { input: corrected });
  });
}

describe('calls that do not fit the schema', () => {
  bad('read', { path: 'a' }, ['"path" is no field of it. Use "file_path".'], '{"file_path":"a"}');
  bad(
    'read',
    { filename: 'a' },
    ['"filename" is no field of it. "file_path" is missing: it must be a string (Path of the file).'],
    '{"file_path":"a"}',
  );
  bad('read', { filePath: 'a' }, ['"filePath" is no field of it. Use "file_path".'], '{"file_path":"a"}');
  bad('read', { absolute_path: '/a' }, ['"absolute_path" is no field of it. Use "file_path".'], '{"file_path":"/a"}');
  bad('read', { target_file: 'a' }, ['"target_file" is no field of it. Use "file_path".'], '{"file_path":"a"}');
  bad('read', {}, ['"file_path" is missing: it must be a string (Path of the file).']);
  bad('read', { file_path: null }, ['"file_path" must be a string (Path of the file), but null came.']);
  bad('read', { file_path: ['a', 'b'] }, [
    '"file_path" must be a string (Path of the file), but the list ["a","b"] came. Send one string.',
  ]);
  bad('read', { file_path: '' }, ['"file_path" must not be empty, but the string "" came.']);
  bad('read', { file_path: 'a', offset: -1 }, ['"offset" must be 1 or more, but -1 came.']);
  bad('read', { file_path: 'a', limit: 'all' }, [
    '"limit" must be an integer (Number of lines), but the string "all" came.',
  ]);
  bad(
    'read',
    { file_path: 'a', limit: '1e3' },
    ['"limit" must be an integer (Number of lines), but the string "1e3" came.'],
    '{"file_path":"a","limit":1000}',
  );
  bad('read', { file_path: 'a', start_line: 1, end_line: 20 }, [
    '"start_line", "end_line" are no fields of it. There are: file_path, offset, limit.',
  ]);
  bad('read', { file_path: 'a', encoding: 'utf8' }, [
    '"encoding" is no field of it. There are: file_path, offset, limit.',
  ]);
  bad(
    'read',
    { input: { file_path: 'a' } },
    ['"input" is no field of it. Send what it holds as the input itself.'],
    '{"file_path":"a"}',
  );
  bad(
    'read',
    { arguments: '{"file_path":"a","limit":"5"}' },
    ['"arguments" is no field of it. Send what it holds as the input itself.'],
    '{"file_path":"a","limit":5}',
  );
  bad('read', { paths: ['a'] }, [
    '"paths" is no field of it. There are: file_path, offset, limit.',
    '"file_path" is missing: it must be a string (Path of the file).',
  ]);
  bad(
    'write',
    { path: 'a', content: 'b' },
    ['"path" is no field of it. Use "file_path".'],
    '{"file_path":"a","content":"b"}',
  );
  bad(
    'write',
    { file_path: 'a', contents: 'b' },
    ['"contents" is no field of it. Use "content".'],
    '{"file_path":"a","content":"b"}',
  );
  bad('write', { filename: 'a', text: 'b' }, [
    '"filename", "text" are no fields of it. There are: file_path, content.',
    '"file_path" is missing: it must be a string (Path of the file).',
    '"content" is missing: it must be a string (The whole text).',
  ]);
  bad(
    'write',
    { path: 'a', file_text: 'b' },
    [
      '"path" is no field of it. Use "file_path".',
      '"file_text" is no field of it. "content" is missing: it must be a string (The whole text).',
    ],
    '{"file_path":"a","content":"b"}',
  );
  bad('write', { file_path: 'a' }, ['"content" is missing: it must be a string (The whole text).']);
  bad('write', { file_path: 'a', content: { name: 'x' } }, [
    '"content" must be a string (The whole text), but the object {"name":"x"} came. If JSON is the text that is meant, send it as a string.',
  ]);
  bad('write', { file_path: 'a', content: ['x', 'y'] }, [
    '"content" must be a string (The whole text), but the list ["x","y"] came. Send one string.',
  ]);
  bad(
    'edit',
    { path: 'a', old_str: 'x', new_str: 'y' },
    [
      '"path" is no field of it. Use "file_path".',
      '"old_str" is no field of it. Use "old_string".',
      '"new_str" is no field of it. Use "new_string".',
    ],
    '{"file_path":"a","old_string":"x","new_string":"y"}',
  );
  bad(
    'edit',
    { file_path: 'a', oldText: 'x', newText: 'y' },
    ['"oldText" is no field of it. Use "old_string".', '"newText" is no field of it. Use "new_string".'],
    '{"file_path":"a","old_string":"x","new_string":"y"}',
  );
  bad(
    'edit',
    { file_path: 'a', edits: [{ old: 'x', new: 'y' }] },
    ['"edits[0].old" is no field of it. Use "old_string".', '"edits[0].new" is no field of it. Use "new_string".'],
    '{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}',
  );
  bad('edit', { file_path: 'a', edits: '[{"old_string":"a","new_string":"b"' }, [
    '"edits" must be a list of objects with "old_string" and "new_string" (Several replacements in this file), but the string "[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b\\"" came. Send it as JSON of its own, not in a string; what the string holds is not valid either: close brace expected at position 35, here: "[{\\"old_string\\":\\"a\\",\\"new_string\\":\\"b\\"⟪here⟫".',
  ]);
  bad('edit', { file_path: 'a', edits: [{ search: 'x', replace: 'y' }] }, [
    '"edits[0].search", "edits[0].replace" are no fields of it. There are: old_string, new_string, replace_all.',
    '"edits[0].old_string" is missing: it must be a string (As above).',
    '"edits[0].new_string" is missing: it must be a string (As above).',
  ]);
  bad('edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'yes' }, [
    '"replace_all" must be true or false (Replace every occurrence), but the string "yes" came.',
  ]);
  bad(
    'edit',
    { file_path: 'a', old_string: 'x', new_string: 'y', replaceAll: 'True' },
    ['"replaceAll" is no field of it. Use "replace_all".'],
    '{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}',
  );
  bad('edit', { file_path: 'a', edits: [] }, ['"edits" must not be empty, but the list [] came.']);
  bad('edit', { file_path: 'a', edits: ['x'] }, [
    '"edits[0]" must be an object with "old_string" and "new_string", but the string "x" came.',
  ]);
  bad('edit', { file_path: 'a', diff: '@@' }, [
    '"diff" is no field of it. There are: file_path, old_string, new_string, replace_all, edits.',
  ]);
  bad('bash', { cmd: 'ls' }, ['"cmd" is no field of it. Use "command".'], '{"command":"ls"}');
  bad('bash', { command: ['ls', '-l'] }, [
    '"command" must be a string (The command), but the list ["ls","-l"] came. Send one string.',
  ]);
  bad(
    'bash',
    { script: 'ls' },
    ['"script" is no field of it. "command" is missing: it must be a string (The command).'],
    '{"command":"ls"}',
  );
  bad('bash', { command: 'ls', timeout_seconds: 30 }, [
    '"timeout_seconds" is no field of it. There is "timeout": an integer (Milliseconds it may take).',
  ]);
  bad('bash', { command: 'ls', timeout: 9000000 }, ['"timeout" must be 600000 or less, but 9000000 came.']);
  bad('bash', { command: 'ls', workdir: 'a' }, [
    '"workdir" is no field of it. There are: command, description, timeout, cwd.',
  ]);
  bad('bash', { command: 'ls', run_in_background: true }, [
    '"run_in_background" is no field of it. There are: command, description, timeout, cwd.',
  ]);
  bad('bash', { command: 'ls', timeout: '60s' }, [
    '"timeout" must be an integer (Milliseconds it may take), but the string "60s" came.',
  ]);
  bad(
    'grep',
    { query: 'x' },
    ['"query" is no field of it. "pattern" is missing: it must be a string (The regular expression).'],
    '{"pattern":"x"}',
  );
  bad(
    'grep',
    { regex: 'x' },
    ['"regex" is no field of it. "pattern" is missing: it must be a string (The regular expression).'],
    '{"pattern":"x"}',
  );
  bad('grep', { pattern: 'x', output_mode: 'files' }, [
    '"output_mode" must be one of "content", "files_with_matches", "count", but the string "files" came.',
  ]);
  bad(
    'grep',
    { pattern: 'x', output_mode: 'Content' },
    ['"output_mode" must be one of "content", "files_with_matches", "count", but the string "Content" came.'],
    '{"pattern":"x","output_mode":"content"}',
  );
  bad('grep', { pattern: 'x', include: '*.ts' }, [
    '"include" is no field of it. There are: pattern, path, glob, output_mode, -A.',
  ]);
  bad('grep', { pattern: 'x', '-A': 'two' }, [
    '"-A" must be an integer (Lines after each match), but the string "two" came.',
  ]);
  bad('grep', { pattern: 'x', case_insensitive: true }, [
    '"case_insensitive" is no field of it. There are: pattern, path, glob, output_mode, -A.',
  ]);
  bad('grep', { pattern: ['a', 'b'] }, [
    '"pattern" must be a string (The regular expression), but the list ["a","b"] came. Send one string.',
  ]);
  bad(
    'glob',
    { glob: '*.ts' },
    ['"glob" is no field of it. "pattern" is missing: it must be a string (For example src/**/*.ts).'],
    '{"pattern":"*.ts"}',
  );
  bad('glob', { pattern: '*.ts', directory: 'src' }, ['"directory" is no field of it. There are: pattern, path.']);
  bad('ls', { directory: 'src' }, ['"directory" is no field of it. There are: path, ignore.']);
  bad(
    'ls',
    { path: '.', ignore: 'node_modules' },
    ['"ignore" must be a list of strings (What to leave out), but the string "node_modules" came.'],
    '{"path":".","ignore":["node_modules"]}',
  );
  bad('ls', { path: '.', ignore: "['a']" }, [
    '"ignore" must be a list of strings (What to leave out), but the string "[\'a\']" came. Send it as JSON of its own, not in a string; what the string holds is not valid either: invalid symbol at position 1, here: "[⟪here⟫\'a\']". Strings and names take double quotes.',
  ]);
  bad(
    'output',
    { call_id: 'c1' },
    ['"call_id" is no field of it. "id" is missing: it must be a string (The call id).'],
    '{"id":"c1"}',
  );
  bad('output', { id: 'c', limit: 99999 }, ['"limit" must be 2000 or less, but 99999 came.']);
  bad('question', { question: 'Which?' }, [
    '"question" is no field of it. There are: questions.',
    '"questions" is missing: it must be a list of objects with "question" (One to four questions, asked together).',
  ]);
  bad('question', { questions: ['Which?'] }, [
    '"questions[0]" must be an object with "question", but the string "Which?" came.',
  ]);
  bad('question', { questions: [{ question: 'Which?', options: ['a', 'b'] }] }, [
    '"questions[0].options[0]" must be an object with "label", but the string "a" came.',
    '"questions[0].options[1]" must be an object with "label", but the string "b" came.',
  ]);
  bad('todowrite', { todos: ['a', 'b'] }, [
    '"todos[0]" must be an object with "content" and "status", but the string "a" came.',
    '"todos[1]" must be an object with "content" and "status", but the string "b" came.',
  ]);
  bad(
    'todowrite',
    { todos: [{ content: 'a', status: 'in-progress' }] },
    ['"todos[0].status" must be one of "pending", "in_progress", "completed", but the string "in-progress" came.'],
    '{"todos":[{"content":"a","status":"in_progress"}]}',
  );
  bad('todowrite', { todos: [{ content: 'a', status: 'done' }] }, [
    '"todos[0].status" must be one of "pending", "in_progress", "completed", but the string "done" came.',
  ]);
  bad(
    'todowrite',
    { todos: [{ task: 'a', status: 'pending' }] },
    ['"todos[0].task" is no field of it. "content" is missing: it must be a string (The step).'],
    '{"todos":[{"content":"a","status":"pending"}]}',
  );
  bad(
    'todowrite',
    { items: [{ content: 'a', status: 'pending' }] },
    [
      '"items" is no field of it. "todos" is missing: it must be a list of objects with "content" and "status" (All items, in order).',
    ],
    '{"todos":[{"content":"a","status":"pending"}]}',
  );
  bad('todowrite', { todos: [{ content: 'x'.repeat(500), status: 'pending' }] }, [
    '"todos[0].content" must have 400 characters or less, but it has 500.',
  ]);
  bad(
    'todowrite',
    { todos: [{ id: 1, content: 'a', status: 'pending' }] },
    ['"todos[0].id" must be a string (Keeps an item apart), but 1 came.'],
    '{"todos":[{"id":"1","content":"a","status":"pending"}]}',
  );
  bad('issues', { number: 3 }, ['"number" is no field of it. Use "issue_number".'], '{"issue_number":3}');
  bad(
    'issues',
    { issue_number: 3, state: 'OPEN' },
    ['"state" must be one of "open", "closed", but the string "OPEN" came.'],
    '{"issue_number":3,"state":"open"}',
  );
  bad('issues', { issue_number: 3.5 }, ['"issue_number" must be an integer, but 3.5 came.']);
  bad(
    'issues',
    { issue_number: 3, labels: 'bug' },
    ['"labels" must be a list of strings, but the string "bug" came.'],
    '{"issue_number":3,"labels":["bug"]}',
  );
  bad('issues', { issue_number: 3, target: { kind: 'url', url: 'x' } }, [
    '"target.url" must match the regular expression ^https?:, but the string "x" came.',
  ]);
  bad('issues', { issue_number: 3, when: 'tomorrow' }, [
    '"when" must match the regular expression ^\\d{4}-, but the string "tomorrow" came.',
  ]);
  bad('issues', { issue_number: 3, target: { kind: 'dir' } }, [
    '"target" must be an object with "kind": "file" and "path" or an object with "kind": "url" and "url", but the object {"kind":"dir"} came.',
  ]);
  bad('issues', { issue_number: '#3' }, ['"issue_number" must be an integer, but the string "#3" came.']);
});

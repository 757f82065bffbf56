// The list of tools: small enough for every request, and named as models expect.
import assert from 'node:assert/strict';
import { createToolset } from '../../../src/core/tool/toolset';
import { TOOLS } from '../../../src/tools/index';
import { inWorkspace } from '../../support/workspace';

/** What the definitions and guides may cost of a first request of 5,000 tokens; a token is about 3.5 characters. */
const MAX_TOKENS = 3_000;
const CHARS_PER_TOKEN = 3.5;

describe('TOOLS', () => {
  it('fit into the first request', () =>
    inWorkspace({}, async ({ host }) => {
      const toolset = createToolset(TOOLS, host);
      const chars = JSON.stringify(toolset.definitions()).length + toolset.guides().join('\n').length;
      assert.ok(chars / CHARS_PER_TOKEN < MAX_TOKENS, `${Math.round(chars / CHARS_PER_TOKEN)} tokens`);
    }));

  const names: Readonly<Record<string, readonly string[]>> = {
    read: ['Read', 'read_file', 'ReadFile', 'FileReadTool', 'view'],
    write: ['Write', 'write_file', 'write_to_file', 'create_file', 'FileWriteTool'],
    edit: ['Edit', 'MultiEdit', 'str_replace_editor', 'str_replace', 'edit_file', 'FileEditTool', 'replace'],
    delete: ['delete_file', 'remove_file', 'DeleteFile', 'rm'],
    move: ['move_file', 'rename_file', 'rename', 'mv', 'MoveFile'],
    ls: ['LS', 'list_directory', 'list_files'],
    glob: ['Glob', 'GlobTool', 'file_search'],
    grep: ['Grep', 'GrepTool', 'search_file_content', 'grep_search'],
    bash: ['Bash', 'BashTool', 'execute_command', 'run_shell_command', 'run_terminal_cmd', 'shell'],
    todowrite: ['TodoWrite', 'todo_write'],
    question: ['AskUserQuestion', 'ask_followup_question'],
    output: ['BashOutput', 'TaskOutput'],
  };
  for (const [name, others] of Object.entries(names)) {
    it(`${name} answers to its other names`, () =>
      inWorkspace({}, async ({ host }) => {
        const toolset = createToolset(TOOLS, host);
        assert.deepEqual(
          others.map((other) => [other, toolset.find(other)?.name]),
          others.map((other) => [other, name]),
        );
      }));
  }
});

// Tool: lists what goes on in the background, and what has lately ended there.
import type { Task } from '../common/tasks';
import { defineTool } from '../core/tool/tool';

const TAIL_LINE_MAX_CHARS = 200;

export const tasks = defineTool({
  name: 'tasks',
  kind: 'read',
  description: 'Lists the runs in the background: what goes on and what has lately ended, each with its last line.',
  schema: {
    type: 'object',
    properties: {
      state: { type: 'string', enum: ['running', 'ended'], description: 'Only those; all by default' },
    },
    additionalProperties: false,
  },
  modes: 'all',
  deferred: true,
  aliases: ['TaskList', 'task_list', 'list_tasks', 'TaskGet', 'task_get', 'list_processes', 'list_terminals'],
  searchHint: 'background runs, running commands, processes',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ state }) => (state === undefined ? 'List the tasks' : `List the ${state} tasks`),

  prepare: async ({ state }) => ({ targets: [], plan: state }),

  async run(state: Task['state'] | undefined, { tasks: all, host }) {
    const listed = all.list().filter((task) => state === undefined || task.state === state);
    if (listed.length === 0) return { text: state === undefined ? 'There are none.' : `None is ${state}.` };
    return { text: listed.map((task) => lineOf(task, host.clock.now())).join('\n') };
  },
});

function lineOf(task: Task, nowMs: number): string {
  const { id, title, state, startedAt, endedAt, status, exitCode, tail } = task;
  const seconds = Math.max(0, Math.round(((endedAt ?? nowMs) - startedAt) / 1000));
  const ending = exitCode === undefined || exitCode === null ? status : `exit code ${exitCode}`;
  const how = state === 'running' ? `running for ${seconds} s` : `ended after ${seconds} s (${ending})`;
  const last = tail.trimEnd().split('\n').at(-1)?.slice(0, TAIL_LINE_MAX_CHARS) ?? '';
  return `${id}: ${title}, ${how}${last === '' ? '' : `, last line: ${last}`}`;
}

// Tool: the list of steps that the model works through, as the person sees it.
import type { Todo } from '../common/display';
import { defineTool } from '../core/tool/tool';

export const todowrite = defineTool({
  name: 'todowrite',
  kind: 'plan',
  description:
    'Sets the todo list, always the whole list. For work of three steps or more; at most one item in progress, each marked completed as soon as it is.',
  schema: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        description: 'All items, in order',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Keeps an item apart; its number by default', maxLength: 50 },
            content: { type: 'string', description: 'The step', minLength: 1, maxLength: 400 },
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed'], description: 'How far it is' },
          },
          required: ['content', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['todos'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['TodoWrite', 'todo_write', 'update_todos', 'write_todos', 'update_plan'],
  searchHint: 'todo list',
  readOnly: () => true,
  title: ({ todos }) => `Plan ${todos.length} ${todos.length === 1 ? 'step' : 'steps'}`,

  async prepare({ todos }) {
    const plan: Todo[] = todos.map(({ id, content, status }, at) => ({ id: id ?? `${at + 1}`, content, status }));
    const twice = plan.find(({ id }, at) => plan.findIndex((other) => other.id === id) !== at);
    if (twice) return { objection: `Two todos have the id ${twice.id}. Give each its own, or none.` };
    const active = plan.filter(({ status }) => status === 'in_progress').length;
    if (active > 1) return { objection: `${active} todos are in progress; only one can be. Send the list again.` };
    return { targets: [], plan };
  },

  async run(todos: readonly Todo[], { state }) {
    state.setTodos(todos);
    const count = (wanted: Todo['status']) => todos.filter(({ status }) => status === wanted).length;
    const text = `The list is set: ${count('completed')} completed, ${count('in_progress')} in progress, ${count('pending')} pending.`;
    return { text, display: { kind: 'todos', todos } };
  },
});

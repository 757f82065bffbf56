// Tool: ends runs that go on in the background.
import type { Task } from '../common/tasks';
import { defineTool } from '../core/tool/tool';

interface Plan {
  readonly running: readonly Task[];
  readonly over: readonly Task[];
}

export const stop = defineTool({
  name: 'stop',
  kind: 'shell',
  description: 'Ends a run in the background, with everything it has started.',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Its id, or several with blanks between', minLength: 1 },
    },
    required: ['id'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: [
    ...['kill', 'KillShell', 'kill_shell', 'KillBash', 'kill_bash', 'TaskStop', 'task_stop'],
    ...['kill_process', 'stop_process', 'kill_terminal', 'stop_task', 'TaskCancel'],
  ],
  searchHint: 'end a background command',
  title: ({ id }) => `Stop ${id}`,

  async prepare({ id: written }, { tasks }) {
    const known = tasks.list();
    const wanted = [...new Set(written.split(/[\s,]+/).filter(Boolean))];
    if (wanted.length === 0) return { objection: 'Give the id of the run to stop.' };
    const found = wanted.flatMap((id) => known.find((task) => task.id === id) ?? []);
    const unknown = wanted.filter((id) => !found.some((task) => task.id === id));
    if (unknown.length > 0) return { objection: `${noSuch(unknown)} ${whatRuns(known)}` };
    const plan: Plan = { running: found.filter(isRunning), over: found.filter((task) => !isRunning(task)) };
    return { targets: [], plan };
  },

  async run({ running, over }: Plan, { tasks }) {
    const ends = running.map(({ id }) => tasks.whenEnded(id));
    for (const { id } of running) tasks.stop(id);
    const stopped = await Promise.all(
      running.map(async ({ id }, at) => (await ends[at])?.text ?? `${id} had ended by itself.`),
    );
    return { text: [...stopped, ...over.map(({ id }) => `${id} had ended by itself.`)].join('\n') };
  },
});

function isRunning({ state }: Task): boolean {
  return state === 'running';
}

function noSuch(ids: readonly string[]): string {
  return `There is no background run ${ids.map((id) => JSON.stringify(id)).join(', ')} in this session.`;
}

function whatRuns(known: readonly Task[]): string {
  const running = known.filter(isRunning).map(({ id, title }) => `${id} (${title})`);
  return running.length === 0 ? 'Nothing goes on in the background now.' : `Now there are ${running.join(', ')}.`;
}

// From the last byte of the model's answer to the next request: Lathe's loop beside a bare one, over real HTTP, in turns.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { anthropicProvider } from '../../src/core/provider/anthropic';
import { openSession } from '../../src/core/session/session';
import { unattended } from '../../src/node/asker';
import { programStarter } from '../../src/node/program';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { createWorkspace, type Workspace } from '../support/workspace';
import { runBareLoop } from './latency/bareLoop';
import { figure, percentile, type Figure } from './measure';

const ROUNDS = 12;
const STEPS = 20;
const LINES = 200;
const FILE = Array.from({ length: LINES }, (_, at) => `export const value${at} = 'of line ${at}';`).join('\n');
const PROMPT = 'Go through the files.';

/** One call per step. Of an edit's session the first step reads, and is not counted. */
const SCRIPTS: Readonly<Record<string, (path: Workspace['path']) => readonly Reply[]>> = {
  read: (path) => steps((at) => toolUse('read', { file_path: path(`file${at}.ts`) })),
  edit: (path) => [
    reply(toolUse('read', { file_path: path('file0.ts') })),
    ...steps((at) =>
      toolUse('edit', { file_path: path('file0.ts'), old_string: `of line ${at}'`, new_string: `edited in ${at}'` }),
    ),
  ],
};

export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, script] of Object.entries(SCRIPTS)) {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const gaps = { bare: await time(script, runBare), ours: await time(script, runLathe) };
      // The first round loads and compiles everything.
      if (round === 0) continue;
      bare.push(...gaps.bare);
      ours.push(...gaps.ours);
    }
    // The tenth shows the code, the median the machine too.
    for (const share of [0.1, 0.5]) {
      const baseline = { name: 'bare loop', value: percentile(bare, share) };
      figures.push(
        figure(`${name}: last byte to next request, p${share * 100}`, 'ms', percentile(ours, share), baseline),
      );
    }
  }
  return figures;
}

function steps(call: (at: number) => ReturnType<typeof toolUse>): Reply[] {
  const each = Array.from({ length: STEPS }, (_, at) => reply(text('I look at the next one.'), call(at)));
  return [...each, reply(text('Done.'))];
}

type Loop = (url: string, workspace: Workspace) => Promise<void>;

/** Milliseconds between each answer and the request after it, the first two of the session left out. */
async function time(script: (path: Workspace['path']) => readonly Reply[], loop: Loop): Promise<readonly number[]> {
  const files = Object.fromEntries(Array.from({ length: STEPS }, (_, at) => [`file${at}.ts`, FILE]));
  const workspace = await createWorkspace(files);
  const worker = new Worker(new URL('latency/server.worker.js', import.meta.url), {
    workerData: script(workspace.path),
  });
  try {
    const [url] = (await once(worker, 'message')) as [string];
    await loop(url, workspace);
    worker.postMessage('end');
    const [{ gaps, problems }] = (await once(worker, 'message')) as [{ gaps: number[]; problems: string[] }];
    if (problems.length > 0 || gaps.length < STEPS) throw new Error(`The script was not followed: ${problems.join()}`);
    return gaps.slice(2);
  } finally {
    await worker.terminate();
    await workspace.remove();
  }
}

async function runBare(url: string): Promise<void> {
  await runBareLoop(url, PROMPT);
}

async function runLathe(url: string, { host }: Workspace): Promise<void> {
  const provider = anthropicProvider({ host, baseUrl: url });
  const common = { host, tools: TOOLS, asker: unattended, start: programStarter(), mode: 'acceptEdits' } as const;
  const session = await openSession({ ...common, provider: () => Promise.resolve(provider) });
  const end = await session.prompt(PROMPT);
  if (end !== 'done') throw new Error(`The turn ended as ${end}.`);
  await session.close();
}

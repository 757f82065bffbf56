// A session of 2,000 turns, each with a call of a real tool: what the last ones take beside the early ones.
import { NO_USAGE } from '../../../src/common/blocks';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/core/provider/types';
import { openSession } from '../../../src/core/session/session';
import { unattended } from '../../../src/node/asker';
import { programStarter } from '../../../src/node/program';
import { TOOLS } from '../../../src/tools/index';
import { createWorkspace } from '../../support/workspace';
import { figure, liveMegabytes, percentile, type Figure } from '../measure';

const TURNS = 2_000;
const EARLY_TURN = 200;
/** Turns up to the one that is looked at. */
const WINDOW = 100;

export async function measureTurns(): Promise<Figure[]> {
  const lines = Array.from({ length: 40 }, (_, at) => `export const value${at} = ${at};`);
  const workspace = await createWorkspace({ 'a.ts': lines.join('\n'), 'b.ts': lines.reverse().join('\n') });
  try {
    const session = await openSession({
      host: workspace.host,
      tools: TOOLS,
      provider: () => Promise.resolve(scriptedProvider()),
      asker: unattended,
      start: programStarter(),
    });
    const times: number[] = [];
    let earlyMegabytes = 0;
    for (let turn = 1; turn <= TURNS; turn++) {
      const startedMs = performance.now();
      const end = await session.prompt(`Look at the file once more, for the ${turn}th time.`);
      times.push(performance.now() - startedMs);
      if (end !== 'done') throw new Error(`Turn ${turn} ended as ${end}.`);
      if (turn === EARLY_TURN) earlyMegabytes = await liveMegabytes();
    }
    const lateMegabytes = await liveMegabytes();
    await session.close();
    // The quicker ones: the machine is not equally busy all the time.
    const early = percentile(times.slice(EARLY_TURN - WINDOW, EARLY_TURN), 0.25);
    const late = percentile(times.slice(-WINDOW), 0.25);
    return [
      figure('one turn, up to turn 2,000', 'ms', late, { name: 'up to turn 200', value: early }),
      figure('memory of a session, after 2,000 turns', 'MB', lateMegabytes, {
        name: 'after 200 turns',
        value: earlyMegabytes,
      }),
    ];
  } finally {
    await workspace.remove();
  }
}

/** Reads a file in each turn, then says a sentence; no network, so that what is timed is ours. */
function scriptedProvider(): Provider {
  let requests = 0;
  return {
    label: 'Script',
    isDemo: false,
    models: () => Promise.resolve([]),
    async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
      requests++;
      const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;
      if (isAnswered) {
        const text = 'It holds forty constants, as before.';
        yield { type: 'text', index: 0, text };
        yield { type: 'block', index: 0, block: { type: 'text', text } };
        yield { type: 'stop', reason: 'end_turn', usage: NO_USAGE };
        return;
      }
      const input = { file_path: requests % 4 === 1 ? 'a.ts' : 'b.ts' };
      yield { type: 'block', index: 0, block: { type: 'tool_use', id: `toolu_${requests}`, name: 'read', input } };
      yield { type: 'stop', reason: 'tool_use', usage: NO_USAGE };
    },
  };
}

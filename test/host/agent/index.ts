// One prompt inside VS Code for `npm run agent -- --host vscode`: its events go through a socket, one JSON line each.
import { once } from 'node:events';
import { connect } from 'node:net';
import { runTask } from '../../support/vscode-host/mocha-run';
import type { PromptRun } from '../../../src/core/session/runPrompt';
import { testApi } from '../support';

interface AgentRun extends Omit<PromptRun, 'onEvent' | 'signal'> {
  /** Where the starting process listens. */
  readonly address: string;
}

export function run(): Promise<void> {
  return runTask('the prompt', async () => {
    const { address, ...prompt } = JSON.parse(process.env['LATHE_AGENT'] ?? '{}') as AgentRun;
    const socket = connect(address);
    await once(socket, 'connect');
    const say = (message: unknown): void => {
      socket.write(`${JSON.stringify(message)}\n`);
    };
    const api = await testApi();
    const end = await api.runPrompt({ ...prompt, onEvent: say });
    socket.end(`${JSON.stringify({ end })}\n`);
    await once(socket, 'close');
  });
}

// A host of its own process that runs one command as the agent does: what a test kills to see what outlives it.
import { createShell } from '../../src/node/shell';

const [, , command = ''] = process.argv;
await createShell({ env: process.env }).run({
  ...{ call: 'c1', session: 's1', command, cwd: '/', timeoutMs: 600_000 },
  signal: new AbortController().signal,
  onOutput: (bytes) => void process.stdout.write(bytes),
});

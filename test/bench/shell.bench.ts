// A gigabyte of output on its way from a command to the store, beside bash writing the same into a file: time, memory, event loop, what is kept (R40).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Outputs } from '../../src/core/output/outputs';
import { TerminalText } from '../../src/core/output/terminal';
import { BACKENDS, runOn, type TestBackend } from '../support/shells';
import { createWorkspace, type Workspace } from '../support/workspace';
import { figure, type Figure } from './measure';

const MB = 1024 ** 2;
const SAMPLE_MS = 20;
const LAG_RESOLUTION_MS = 5;
const TIME_MAX_MS = 600_000;
/** As the tool for commands does it. */
const AHEAD_BYTES = 4 * MB;
const KEPT_CHARS = 30_000;

/** Endless output ends where no more is kept; its baseline ends there by itself. */
const FLOODS: readonly { readonly what: string; readonly command: string; readonly baseline?: string }[] = [
  { what: '1 GB of zeros', command: 'head -c 1G /dev/zero' },
  { what: 'yes without end', command: 'yes', baseline: 'yes | head -c 1G' },
  { what: 'one line of 1 GB', command: "head -c 1G /dev/zero | tr '\\0' x" },
  { what: '5 million short lines', command: 'seq 1 5000000' },
];

export async function run(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { what, command, baseline = command } of FLOODS) {
    const workspace = await createWorkspace();
    try {
      const bashMs = await writtenByBash(baseline, workspace);
      for (const backend of BACKENDS)
        figures.push(...(await measured(`${what}, ${backend}`, command, backend, bashMs)));
    } finally {
      await workspace.remove();
    }
  }
  return figures;
}

async function writtenByBash(command: string, { root }: Workspace): Promise<number> {
  const startMs = performance.now();
  const child = spawn('/bin/bash', ['-c', 'eval "$1" > "$0"', join(root, 'baseline'), command], { stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - startMs;
}

async function measured(name: string, command: string, backend: TestBackend, bashMs: number): Promise<Figure[]> {
  const workspace = await createWorkspace();
  try {
    const { root, host } = workspace;
    const outputs = new Outputs({ host, session: 's' });
    await runOn(backend, 'true', { cwd: root });
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
    const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    lag.enable();
    const startMs = performance.now();
    const storedBytes = await stored(command, backend, outputs, root);
    const ms = performance.now() - startMs;
    lag.disable();
    clearInterval(sampling);
    return [
      figure(`${name}: time`, 'ms', ms, { name: 'bash into a file', value: bashMs }),
      figure(`${name}: memory grown`, 'MB', (most - before) / MB),
      figure(`${name}: event loop late, p99`, 'ms', lag.percentile(99) / 1e6 - LAG_RESOLUTION_MS),
      figure(`${name}: stored`, 'MB', storedBytes / MB),
    ];
  } finally {
    await workspace.remove();
  }
}

async function stored(command: string, backend: TestBackend, outputs: Outputs, cwd: string): Promise<number> {
  const out = outputs.open('call', { keepChars: KEPT_CHARS });
  const text = new TerminalText();
  let aheadBytes = 0;
  await runOn(backend, command, {
    ...{ cwd, timeoutMs: TIME_MAX_MS },
    taking(bytes) {
      out.write(text.push(bytes));
      aheadBytes += bytes.length;
      if (aheadBytes < AHEAD_BYTES) return undefined;
      aheadBytes = 0;
      return out.drained();
    },
  });
  out.write(text.end());
  await outputs.close('call', out);
  await outputs.flush();
  return out.bytes;
}

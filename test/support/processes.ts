// Counts the child processes that this process starts, however short they live.
import { createHook } from 'node:async_hooks';

export interface ProcessCount {
  readonly started: number;
  stop(): void;
}

export function countProcesses(): ProcessCount {
  let started = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROCESSWRAP') started++;
    },
  }).enable();
  return {
    get started() {
      return started;
    },
    stop: () => void hook.disable(),
  };
}

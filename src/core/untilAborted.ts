// Waiting that Stop ends: for what changes nothing and so may be left to itself.
import { onAbort } from './onAbort';

/** Undefined when the signal aborts first. Rejects like the promise. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => resolve(undefined));
    void promise.then(resolve, reject).finally(release);
  });
}

// Being told of an abort, with one listener per signal: every call of a turn waits for the same one, and Node reports more than ten as a leak.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act`, which must not throw, when the signal aborts: at once if it has. Answers how to wait no longer. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  // A place of its own, so that one function can wait twice.
  const place = (): void => act();
  const places = waiting.get(signal) ?? listenTo(signal);
  places.add(place);
  return () => places.delete(place);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const places = new Set<() => void>();
  waiting.set(signal, places);
  const tellAll = (): void => {
    for (const place of places) place();
    places.clear();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return places;
}

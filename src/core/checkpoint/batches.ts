// Many files, as many at once as a disk can do something with.

const AT_ONCE = 16;

/** Results are in the order of `items`. Rejects as soon as `work` does, with what has begun still going on. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}

// Work that is done once, and only when somebody asks for what comes of it.

export function lazy<Value>(work: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: work() }).value;
}

// An icon of VS Code's own font. Always beside words or on a labelled button, so it says nothing to a screen reader.

export function Icon({ name, class: more = '' }: { readonly name: string; readonly class?: string }) {
  return <span class={`codicon codicon-${name} ${more}`} aria-hidden="true" />;
}

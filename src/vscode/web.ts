// The editor's fetch: it knows the person's proxy and certificates.
import type { Web } from '../core/host';

/** Looked up at each call, since the editor replaces the global one some time after it has started. */
export const editorWeb: Web = { fetch: (input, init) => globalThis.fetch(input, init) };

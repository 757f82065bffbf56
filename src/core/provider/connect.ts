// Chooses who answers: the endpoint that is set, Anthropic's own with a key, or the built-in demo model.
import type { Host } from '../host';
import { anthropicProvider } from './anthropic';
import type { Provider } from './types';

export interface ConnectOptions {
  readonly host: Pick<Host, 'web' | 'log' | 'settings'>;
  /** The key for that endpoint (empty: Anthropic's own), from wherever it is kept; undefined when there is none. */
  readonly apiKey: (baseUrl: string) => Promise<string | undefined>;
  /** Used when there is neither a key nor an endpoint. */
  readonly demo: () => Promise<Provider>;
  /** Overrides the setting `baseUrl`. */
  readonly baseUrl?: string;
}

/** Answers the provider for the next turn; the same one as long as endpoint and key stay the same, so that it need not list its models again. */
export function connector(options: ConnectOptions): () => Promise<Provider> {
  let current:
    { readonly baseUrl: string; readonly apiKey: string | undefined; readonly provider: Provider } | undefined;
  return async () => {
    const baseUrl = options.baseUrl ?? options.host.settings.get('baseUrl').trim();
    const apiKey = (await options.apiKey(baseUrl))?.trim() || undefined;
    if (current?.baseUrl === baseUrl && current.apiKey === apiKey) return current.provider;
    const provider =
      baseUrl === '' && apiKey === undefined
        ? await options.demo()
        : anthropicProvider({ host: options.host, baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
    current = { baseUrl, apiKey, provider };
    return provider;
  };
}

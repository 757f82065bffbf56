// API keys: in the editor's secret storage, one per endpoint; never in settings, logs or the panel.
import type * as vscode from 'vscode';

const ANTHROPIC = 'https://api.anthropic.com';

export interface Keys {
  /** Undefined when there is none for that endpoint. */
  get(baseUrl: string): Promise<string | undefined>;
  set(baseUrl: string, key: string): Promise<void>;
  remove(baseUrl: string): Promise<void>;
}

/** A key found in the environment is only sent where the environment says it belongs. */
export function editorKeys(secrets: vscode.SecretStorage, env: NodeJS.ProcessEnv): Keys {
  return {
    async get(baseUrl) {
      const kept = await secrets.get(nameOf(baseUrl));
      if (kept) return kept;
      const endpointOfEnv = endpoint(env['ANTHROPIC_BASE_URL'] ?? '');
      const isOwn = endpoint(baseUrl) === ANTHROPIC || endpoint(baseUrl) === endpointOfEnv;
      return isOwn ? env['ANTHROPIC_API_KEY'] || undefined : undefined;
    },
    async set(baseUrl, key) {
      await secrets.store(nameOf(baseUrl), key);
    },
    async remove(baseUrl) {
      await secrets.delete(nameOf(baseUrl));
    },
  };
}

function nameOf(baseUrl: string): string {
  return `apiKey:${endpoint(baseUrl)}`;
}

/** The same for every way of writing one endpoint. */
function endpoint(baseUrl: string): string {
  const written = baseUrl.trim() || ANTHROPIC;
  return URL.canParse(written) ? new URL(written).href.replace(/\/+$/, '') : written;
}

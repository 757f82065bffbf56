// A real workbench on the demo project, with a scripted model behind the panel: what a person's path through it starts from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sourceTree';
import type { Reply } from './model-server/scenario';
import { startModelServer, type ModelServer } from './model-server/server';
import { openWorkbench, type Session } from './vscode-host/session.mjs';

/** What is wrong in the demo's `src/cart.js`, and what is right. */
export const BUG = 'sum + item.price, 0)';
export const FIX = 'sum + item.price * item.quantity, 0)';

const KEY = 'e2e-key';

export interface DemoWorkbench {
  readonly server: ModelServer;
  readonly workbench: Session;
  /** The text of `src/cart.js` on disk. */
  cart(): string;
  close(): Promise<void>;
}

export async function openDemoWorkbench(
  scenario: readonly Reply[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<DemoWorkbench> {
  const server = await startModelServer([...scenario], { apiKey: KEY });
  const workbench = await openWorkbench({
    fixture: join(root, 'media/demo'),
    extension: root,
    userSettings: {
      'lathe.baseUrl': server.url,
      'lathe.model': 'claude-sonnet-5-5',
      'workbench.colorTheme': 'Default Dark Modern',
      ...settings,
    },
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
    viewport: { width: 1440, height: 900 },
  }).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    server,
    workbench,
    cart: () => readFileSync(join(workbench.workspace ?? '', 'src/cart.js'), 'utf8'),
    async close() {
      await workbench.close();
      await server.close();
    },
  };
}

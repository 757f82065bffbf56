// The shell and its terminals, loaded by the first command: they are a good part of what the extension would weigh at activation.
import type { Shell } from '../../core/shell';
import { findShell } from '../../node/shellProgram';
import type { EditorShellParts } from './shell';
import type { Terminals } from './terminals';

export type ShownTerminals = Pick<Terminals, 'show' | 'dispose'>;

export interface LazyShell {
  readonly shell: Shell;
  readonly terminals: ShownTerminals;
}

export function lazyShell(iconPath: Terminals['iconPath'], parts: Omit<EditorShellParts, 'terminals'>): LazyShell {
  let terminals: Terminals | undefined;
  let loading: Promise<Shell> | undefined;
  const load = async (): Promise<Shell> => {
    const [{ editorShell }, made] = await Promise.all([import('./shell'), import('./terminals')]);
    terminals = new made.Terminals(iconPath);
    return editorShell({ ...parts, terminals });
  };
  return {
    shell: {
      name: findShell()?.name ?? 'bash',
      async sandbox() {
        // Every turn asks, and most need no shell loaded for the answer.
        if (parts.settings.get('shell.sandbox') === 'off') return { kind: 'off' };
        return (await (loading ??= load())).sandbox?.() ?? { kind: 'off' };
      },
      run: async (command) => (await (loading ??= load())).run(command),
    },
    terminals: {
      show: (session, call) => terminals?.show(session, call),
      dispose: () => terminals?.dispose(),
    },
  };
}

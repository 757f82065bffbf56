// Workspace trust behind the decision about calls: before it is given the ports that act do nothing, whoever calls them (S50).
import type { Host } from './host';
import type { StartProgram } from './program';

type Trust = Pick<Host, 'isTrusted'>;

const UNTRUSTED =
  'The person has not trusted this workspace, so nothing in it is changed or run: files can only be read and searched.';

type Acting = Pick<Host, 'edits' | 'shell' | 'snapshots' | 'history'>;

/** The same ports, which do nothing before the workspace is trusted, whoever calls them. */
export function actingWhereTrusted({ edits, shell, snapshots, history }: Acting, host: Trust): Acting {
  return {
    edits: {
      apply: async (plan) => (host.isTrusted() ? edits.apply(plan) : { ok: false, reason: UNTRUSTED }),
    },
    shell: {
      name: shell.name,
      run: async (command) => (host.isTrusted() ? shell.run(command) : { ok: false, reason: UNTRUSTED }),
      // Looking for one starts it.
      ...(shell.sandbox && {
        sandbox: async () => (host.isTrusted() && shell.sandbox ? shell.sandbox() : { kind: 'off' }),
      }),
    },
    snapshots: {
      take: async (roots, signal) => (host.isTrusted() ? snapshots.take(roots, signal) : NOTHING_SEEN),
      refresh: (paths) => snapshots.refresh(paths),
    },
    ...(history && {
      history: {
        state: async (folder, signal) => (host.isTrusted() ? history.state(folder, signal) : undefined),
        commits: async (folder, range) => (host.isTrusted() ? history.commits(folder, range) : []),
        pushed: async (folder, remotes) => (host.isTrusted() ? history.pushed(folder, remotes) : []),
      },
    }),
  };
}

const NOTHING_SEEN = { unseen: [], goesOn: () => undefined, changes: () => Promise.resolve([]) };

/** For hooks and servers: programs of the person's own, which would run beside files they do not trust. */
export function startWhereTrusted(start: StartProgram, host: Trust): StartProgram {
  return async (spec) => (host.isTrusted() ? start(spec) : { ok: false, reason: UNTRUSTED });
}

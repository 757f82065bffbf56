// Whether a command runs in the sandbox, as the setting says. The sandbox itself is loaded when it is first wanted.
import { messageOf } from '../../common/errors';
import type { Settings } from '../../common/settings';
import type { Path } from '../../core/host';
import type { SandboxState, ShellCommand, ShellExit } from '../../core/shell';
import type { Enclosure, Sandbox } from './sandbox';

export interface Confinement {
  state(): Promise<SandboxState>;
  enclose(cwd: Path): Promise<Enclosure>;
}

export interface ConfinementParts {
  readonly settings: Settings;
  readonly roots: () => readonly Path[];
  /** Where the sandbox's program may be; the system's usual places where absent. */
  readonly programs?: readonly Path[];
}

export function createConfinement({ settings, roots, programs }: ConfinementParts): Confinement {
  let loading: Promise<Sandbox> | undefined;
  const load = () =>
    (loading ??= Promise.all([import('./sandbox'), import('./hidden')]).then(([{ createSandbox }, { hiddenIn }]) =>
      createSandbox({
        roots,
        hiddenIn: (folders) => hiddenIn(folders, settings),
        ...(programs ? { programs } : {}),
      }),
    ));
  return {
    async state() {
      const wanted = settings.get('shell.sandbox');
      if (wanted === 'off') return { kind: 'off' };
      const isRequired = wanted === 'required';
      const reason = await (await load()).missing();
      return reason === undefined ? { kind: 'on', isRequired } : { kind: 'missing', reason, isRequired };
    },
    enclose: async (cwd) => (await load()).enclose(cwd),
  };
}

export const unconfined: Confinement = {
  state: async () => ({ kind: 'off' }),
  enclose: async () => ({ ok: false, reason: 'there is none' }),
};

/** Runs a command where it belongs: never outside the sandbox because the sandbox did not work. */
export async function confine(
  confinement: Confinement,
  command: ShellCommand,
  run: (prefix: readonly string[]) => Promise<ShellExit>,
): Promise<ShellExit> {
  const state = await confinement.state();
  if (state.kind === 'missing' && state.isRequired) return { ok: false, reason: noSandbox(state.reason) };
  if (command.place === 'inside' && state.kind !== 'on') return { ok: false, reason: NO_LONGER };
  if (state.kind !== 'on' || (command.place === 'outside' && !state.isRequired)) return run([]);
  const enclosed = await confinement.enclose(command.cwd).catch((error: unknown) => failed(error));
  if (!enclosed.ok) return { ok: false, reason: `The sandbox could not be set up: ${enclosed.reason}.` };
  const exit = await run(enclosed.prefix);
  const { renamed, unsure } = await enclosed.finish();
  if (!exit.ok) return exit;
  // The processes in there end with the sandbox, at about the time when they would be counted.
  const { leftRunning: _, ...rest } = exit;
  return {
    ...rest,
    wasSandboxed: true,
    ...(renamed.length > 0 ? { setAside: renamed } : {}),
    ...(unsure.length > 0 ? { mayTakeEffect: unsure } : {}),
  };
}

const NO_LONGER = 'The sandbox that this was to run in is no longer there. Send the call again.';

/** A folder of the workspace that is gone, for one. */
function failed(error: unknown): Extract<Enclosure, { ok: false }> {
  return { ok: false, reason: messageOf(error) };
}

/** For the model and the person alike. */
function noSandbox(reason: string): string {
  return `Commands run in a sandbox only (lathe.shell.sandbox is required), and there is none here: ${reason}. Tell the person: on Linux it needs bubblewrap; otherwise the setting has to be auto or off.`;
}

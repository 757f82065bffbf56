// What the sandbox of commands means for a call: where it runs, and what the model and the person are told of it.
import type { Path } from './host';
import type { SandboxState, ShellExit } from './shell';

export type Place = 'inside' | 'outside';

/** Where a command runs. Asking for outside never lowers a check: it always asks the person (S18). */
export function placeIn(
  state: SandboxState | undefined,
  wantsOutside: boolean,
): { readonly place?: Place } | { readonly objection: string } {
  if (!state || state.kind === 'off' || (state.kind === 'missing' && !state.isRequired)) return {};
  if (state.kind === 'missing') {
    return {
      objection: `Commands run in a sandbox only (lathe.shell.sandbox is required), and there is none here: ${state.reason}. Tell the person; go on without commands.`,
    };
  }
  if (!wantsOutside) return { place: 'inside' };
  if (!state.isRequired) return { place: 'outside' };
  return {
    objection:
      'Nothing runs outside the sandbox: lathe.shell.sandbox is required. Send it without outside_sandbox, or tell the person what they would have to run.',
  };
}

/** On the card of a command: where it runs. Where no sandbox is wanted, nothing is said of one. */
export function labelOf(place: Place | undefined, isWanted: boolean): { readonly place?: Place } {
  return place === undefined && !isWanted ? {} : { place: place ?? 'outside' };
}

/** On the card too, since a model may not pass it on. */
export function unsureOf(
  exit: ShellExit | undefined,
  show: (path: Path) => string,
): { readonly mayTakeEffect?: readonly string[] } {
  const paths = exit?.ok ? (exit.mayTakeEffect ?? []) : [];
  return paths.length === 0 ? {} : { mayTakeEffect: paths.map(show) };
}

/** For the model, with the result: failures in a sandbox look like faults of the machine. */
export function sandboxNotes(
  { wasSandboxed, code, setAside = [], mayTakeEffect = [] }: ShellExit & { readonly ok: true },
  show: (path: Path) => string,
): string[] {
  const namesOf = (paths: readonly Path[]) => paths.map(show).join(', ');
  const notes: string[] = [];
  if (wasSandboxed && code !== 0) {
    notes.push(
      'It ran in the sandbox: no network, writing in the workspace only, secrets and what runs by itself later protected. If it failed for that, send it again with outside_sandbox: true, which asks the person.',
    );
  }
  if (setAside.length > 0) {
    notes.push(
      `Set aside, since it would take effect by itself, with .sandboxed after its name: ${namesOf(setAside)}. Make such files with write or edit, which ask the person.`,
    );
  }
  if (mayTakeEffect.length > 0) {
    notes.push(
      `What it made in ${namesOf(mayTakeEffect)} may take effect by itself, and could not be set aside. Tell the person.`,
    );
  }
  return notes;
}

/** For the model, before any command; undefined where no sandbox is wanted, which is usual. */
export function sandboxText(state: SandboxState): string | undefined {
  if (state.kind === 'off') return undefined;
  if (state.kind === 'missing') {
    return state.isRequired
      ? 'Commands do not run: they may only in a sandbox, and there is none here.'
      : 'Commands run without a sandbox: there is none here.';
  }
  const where =
    'Commands run in a sandbox: no network, writing in the workspace and $TMPDIR only, secrets hidden, and what runs by itself later (editor and Git configuration, hooks, manifests, instructions) read-only.';
  return state.isRequired
    ? `${where} Nothing runs outside it.`
    : `${where} What cannot work so is sent with outside_sandbox: true, which asks the person.`;
}

/** For the person, where a sandbox is wanted and missing. */
export function sandboxWarning(state: SandboxState): string | undefined {
  if (state.kind !== 'missing') return undefined;
  const then = state.isRequired
    ? 'so no command runs. Set lathe.shell.sandbox to auto or off to run them all the same'
    : 'so commands run without one, and ask as they do without';
  return `There is no sandbox for commands here (${state.reason}), ${then}.`;
}

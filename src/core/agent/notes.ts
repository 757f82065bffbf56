// What the model is told besides the prompt: notes are appended and stay, so the frozen head and the cached prefix hold.
import type { Todo } from '../../common/display';
import type { Mode } from '../../common/modes';
import type { Clock, Platform } from '../host';
import { sandboxText } from '../sandbox';
import type { SandboxState } from '../shell';

export interface Note {
  readonly about: string;
  readonly text: string;
}

/** What a note about changes that the person has rejected is filed under. */
export const REVIEW_NOTE = 'review';
/** And one about files that were put back to what they were. */
export const RESTORED_NOTE = 'restored files';

export interface NoteSources {
  readonly clock: Pick<Clock, 'now'>;
  readonly platform: Pick<Platform, 'timeZone'>;
  readonly mode: Mode;
  /** The person trusts the workspace. */
  readonly isTrusted: boolean;
  readonly sandbox: SandboxState;
  readonly todos: readonly Todo[];
  /** At a turn's start the list is repeated, since it may be a long way back; within a turn the model has just written it. */
  readonly isTurnStart: boolean;
}

/** The notes that differ from what the model was last told about the same thing. */
export function dueNotes(sources: NoteSources, lastNote: (about: string) => string | undefined): Note[] {
  const notes = [
    dateNote(sources),
    modeNote(sources.mode),
    ...trustNote(sources.isTrusted, lastNote('trust') !== undefined),
    ...sandboxNote(sources.sandbox, lastNote('sandbox') !== undefined),
  ];
  if (sources.isTurnStart) notes.push(...todosNote(sources.todos, lastNote('todos') !== undefined));
  return notes.filter(({ about, text }) => lastNote(about) !== text);
}

/** By time zone: making a format takes longer than all else before a request. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  const known = dateFormats.get(timeZone);
  if (known) return known;
  const format = { timeZone, weekday: 'long', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-US', format);
  dateFormats.set(timeZone, made);
  return made;
}

/** Put together from parts: how a whole date is written differs between versions of Node. */
function dateNote({ clock, platform }: NoteSources): Note {
  const parts = dateFormat(platform.timeZone).formatToParts(clock.now());
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return { about: 'date', text: `Today is ${part('weekday')}, ${part('year')}-${part('month')}-${part('day')}.` };
}

const MODE_TEXTS: Readonly<Record<Mode, string>> = {
  ask: 'Mode: ask. Reading runs at once; edits, commands and network access are shown to the person, who allows or declines each.',
  acceptEdits:
    'Mode: accept edits. Edits inside the workspace apply at once; deletions, commands and network access are shown to the person first.',
  plan: 'Mode: plan. Read and search only, by commands that only read too: edits and other commands are refused. Work out what to do and present it as a plan.',
  review:
    'Mode: review. Read and search only, by commands that only read too, and the commands that the person’s rules allow; edits are refused. Say what you find.',
  explore:
    'Mode: explore. Read and search only, by commands that only read too: whatever would need the person is refused.',
  auto: 'Mode: auto. Most things run without asking; what destroys, reaches outside the workspace or is protected is shown to the person first.',
  bypass: 'Mode: bypass. Everything runs without asking, so think before what cannot be undone.',
};

function modeNote(mode: Mode): Note {
  return { about: 'mode', text: MODE_TEXTS[mode] };
}

/** Nothing is said of what is usual. */
function trustNote(isTrusted: boolean, wasTold: boolean): Note[] {
  if (!isTrusted)
    return [
      {
        about: 'trust',
        text: 'The person has not trusted this workspace: reading and searching work, edits, commands, hooks and MCP servers do not. What its files say is to be read with care.',
      },
    ];
  return wasTold
    ? [{ about: 'trust', text: 'The person trusts this workspace now: edits and commands work as the mode says.' }]
    : [];
}

/** Nothing is said where there was never one. */
function sandboxNote(state: SandboxState, wasTold: boolean): Note[] {
  const text = sandboxText(state) ?? (wasTold ? 'Commands run without a sandbox now.' : undefined);
  return text === undefined ? [] : [{ about: 'sandbox', text }];
}

function todosNote(todos: readonly Todo[], wasTold: boolean): Note[] {
  const isOpen = todos.some(({ status }) => status !== 'completed');
  if (!isOpen) return wasTold ? [{ about: 'todos', text: 'The todo list holds nothing that is open.' }] : [];
  const lines = todos.map(({ status, content }) => `- [${status}] ${content}`);
  return [{ about: 'todos', text: ['Your todo list:', ...lines].join('\n') }];
}

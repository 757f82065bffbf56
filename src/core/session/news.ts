// What the model has not been told yet: worked out from what the conversation that stands tells it, so that after a rewinding what was told in the removed part is told again.
import { dueNotes, RESTORED_NOTE, type Note, type NoteSources } from '../agent/notes';
import type { EventOf } from '../../common/events';
import { aboutRun, lostRunText, type Background } from '../tool/background';
import type { FrozenHead } from './frozenHead';
import type { SessionRecord } from './record';
import type { SessionOptions } from './types';

/** Files that a note names. */
const NAMED_FILES_MAX = 20;

export interface NewsParts {
  readonly record: SessionRecord;
  readonly background: Background;
  readonly head: FrozenHead;
  readonly outside: SessionOptions['news'];
}

/** Held state: how runs in the background have ended. */
export class News {
  private readonly runEnds = new Map<string, string>();

  constructor(private readonly parts: NewsParts) {}

  /** What is due with the next request. */
  due(sources: Omit<NoteSources, 'todos'>): Note[] {
    const { record, head, outside } = this.parts;
    const { todos, restores } = record.known;
    return [
      ...dueNotes({ ...sources, todos }, (about) => record.conversation.lastNote(about)),
      ...this.runs(),
      ...head.news((text) => record.conversation.wasTold(text)),
      ...restoredNote(restores),
      ...record.history.untold().map(({ about, text }) => ({ about, text })),
      ...(outside?.(record.id) ?? []),
    ];
  }

  /** How runs ended that the model believes to go on. One whose call was rewound away is none of them. */
  runs(): Note[] {
    const { record, background } = this.parts;
    for (const { call, text } of background.takeEnded()) this.runEnds.set(call, text);
    const going = new Set(background.list().flatMap(({ id, state }) => (state === 'running' ? [id] : [])));
    return record.known.backgroundRuns
      .filter((call) => !going.has(call))
      .map((call) => ({ about: aboutRun(call), text: this.runEnds.get(call) ?? lostRunText(call) }));
  }
}

/** Each file once, with what the latest restore made of it. */
function restoredNote(restores: readonly EventOf<'files/restored'>[]): Note[] {
  const effects = new Map<string, string>();
  for (const { files, untold = [] } of restores) {
    for (const { path, change, to } of files) {
      if (!untold.includes(path)) effects.set(path, to === undefined ? EFFECTS[change] : `moved back to ${to}`);
    }
  }
  if (effects.size === 0) return [];
  const lines = [...effects].slice(0, NAMED_FILES_MAX).map(([path, effect]) => `- ${path}: ${effect}`);
  const more = effects.size - lines.length;
  const text = [
    'The person has put these files back to what they were before changes of yours. Read them again before you rely on them:',
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
  return [{ about: RESTORED_NOTE, text }];
}

const EFFECTS = { created: 'there again', edited: 'as before', deleted: 'removed again', moved: 'moved back' } as const;

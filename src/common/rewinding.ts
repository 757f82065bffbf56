// What a transcript says about rewinding, in words for the person.
import type { ChangedFile } from './changes';
import type { EventOf } from './events';
import type { ChangedFiles, NoticeRow, Row } from './rows';

const QUOTED_CHARS = 60;
const NAMED_FILES = 3;
/** What a row lists, in files and in characters of their paths. */
const LISTED_FILES = 50;
const LISTED_CHARS = 4_000;
const UNDO = { title: 'Undo Rewind', command: 'lathe.undoRewind' };

export function promptRowId(turn: string): string {
  return `${turn}/prompt`;
}

/** A prompt as a title: one line, cut. */
export function quote(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  const head = [...line.slice(0, 2 * QUOTED_CHARS)].slice(0, QUOTED_CHARS).join('');
  return `“${head}${head.length < line.length ? '…' : ''}”`;
}

/** The row where a rewound conversation ends. `last` is the last row that went: where it told of files, this one does. */
export function rewoundRow(
  event: EventOf<'conversation/rewound'>,
  { prompt, last }: { readonly prompt: string; readonly last: Row | undefined },
): NoticeRow {
  const restored = last?.type === 'notice' && last.restored !== undefined ? ` Files put back: ${last.restored}.` : '';
  return notice(event, `Rewound to before ${quote(prompt)}.${restored}`);
}

export function restoredRow(event: EventOf<'files/restored'>, prompt: string | undefined): NoticeRow {
  const { files, undoes } = event;
  const before = prompt === undefined ? 'an earlier prompt' : quote(prompt);
  const names = nameFiles(files);
  if (undoes !== undefined) return notice(event, `The restore was taken back: ${names}.`);
  return { ...notice(event, `Put back to before ${before}: ${names}.`), restored: names };
}

/** The row of a restore that was taken back says so itself. */
export function takenBack(row: NoticeRow, { files }: EventOf<'files/restored'>): NoticeRow {
  return { ...withoutAction(row), text: `${row.text} Taken back: ${nameFiles(files)}.` };
}

/** Where nothing is left to be taken back. */
export function withoutAction({ action: _, ...row }: NoticeRow): NoticeRow {
  return row;
}

export function restoredRowId(seq: number): string {
  return `notice/${seq}`;
}

function notice(event: EventOf<'conversation/rewound'> | EventOf<'files/restored'>, text: string): NoticeRow {
  const { seq, turn, agent } = event;
  const row = { type: 'notice', id: restoredRowId(seq), turn, agent, level: 'info', text } as const;
  return event.type === 'files/restored' && event.undoes !== undefined ? row : { ...row, action: UNDO };
}

function nameFiles(files: readonly ChangedFile[]): string {
  if (files.length === 0) return 'no files';
  const names = files.slice(0, NAMED_FILES).map(({ path }) => path.slice(path.search(/[^/\\]*$/)));
  const more = files.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/**
 * What a call changed, with what it had changed before. Long lists are cut, their number is not. Paths below `root` are told
 * from there on.
 */
export function addChanges(
  known: ChangedFiles | undefined,
  files: readonly ChangedFile[],
  root?: string,
): ChangedFiles {
  const listed = new Map(known?.listed.map((file) => [file.path, file]));
  let more = known?.more ?? 0;
  let chars = [...listed.keys()].reduce((sum, { length }) => sum + length, 0);
  for (const { path, change, to } of files) {
    const shown = within(root, to ?? path);
    if (!listed.has(shown)) {
      chars += shown.length;
      if (listed.size >= LISTED_FILES || chars > LISTED_CHARS) {
        more++;
        continue;
      }
    }
    listed.set(shown, { path: shown, change });
  }
  return { listed: [...listed.values()], more };
}

function within(root: string | undefined, path: string): string {
  const isBelow = root !== undefined && path.startsWith(root) && /^[/\\]./.test(path.slice(root.length));
  return isBelow ? path.slice(root.length + 1) : path;
}

// Numbers, times and names as people read them.

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 950, 1.2k, 35k, 1.4M. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trimZero(count / 1000)}k`;
  return `${trimZero(count / 1_000_000)}M`;
}

function trimZero(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** The last part of a path, and what leads to it. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

/** Titles are imperatives: what is done reads in the past, what runs reads as going on. Other first words stay. */
const VERBS: Readonly<Record<string, readonly [past: string, present: string]>> = {
  add: ['Added', 'Adding'],
  apply: ['Applied', 'Applying'],
  ask: ['Asked', 'Asking'],
  call: ['Called', 'Calling'],
  change: ['Changed', 'Changing'],
  check: ['Checked', 'Checking'],
  create: ['Created', 'Creating'],
  delete: ['Deleted', 'Deleting'],
  edit: ['Edited', 'Editing'],
  fetch: ['Fetched', 'Fetching'],
  find: ['Found', 'Finding'],
  get: ['Got', 'Getting'],
  go: ['Went', 'Going'],
  list: ['Listed', 'Listing'],
  load: ['Loaded', 'Loading'],
  look: ['Looked', 'Looking'],
  move: ['Moved', 'Moving'],
  open: ['Opened', 'Opening'],
  plan: ['Planned', 'Planning'],
  read: ['Read', 'Reading'],
  remember: ['Remembered', 'Remembering'],
  rename: ['Renamed', 'Renaming'],
  replace: ['Replaced', 'Replacing'],
  run: ['Ran', 'Running'],
  search: ['Searched', 'Searching'],
  send: ['Sent', 'Sending'],
  show: ['Showed', 'Showing'],
  start: ['Started', 'Starting'],
  stop: ['Stopped', 'Stopping'],
  update: ['Updated', 'Updating'],
  use: ['Used', 'Using'],
  wait: ['Waited', 'Waiting'],
  write: ['Wrote', 'Writing'],
};

export function pastTense(title: string): string {
  return conjugate(title, 0);
}

export function presentTense(title: string): string {
  return conjugate(title, 1);
}

function conjugate(title: string, form: 0 | 1): string {
  const [verb = ''] = title.split(' ', 1);
  const forms = Object.hasOwn(VERBS, verb.toLowerCase()) ? VERBS[verb.toLowerCase()] : undefined;
  return forms ? forms[form] + title.slice(verb.length) : title;
}

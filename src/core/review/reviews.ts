// All files under review in a window, followed through everybody's changes, moves and deletions.
import type { EditOrigin, Path } from '../host';
import { agentWrote, personWrote, restoreWrote, withKept } from './file';
import { changeOf, type FileState, isText, isUnderReview, textOf, unchanged, withOrigin } from './state';
import type { ReviewedFile, Reviews } from './types';
import { isBack, planUndo } from './undo';

/** A file as it is, and as it was: going back to such a text (undo, redo) is going back to who wrote it. */
interface Entry {
  readonly state: FileState;
  /** With the same baseline, latest last. */
  readonly past: readonly FileState[];
}

export interface ReviewModel extends Reviews {
  /** What is to be stored. */
  states(): readonly FileState[];
}

/** Of one file. */
const MAX_PAST = 8;
/** Files that are as before the agent, remembered in case that is taken back. */
const MAX_RESTING = 100;

export function createReviews(stored: readonly FileState[] = []): ReviewModel {
  const entries = new Map<Path, Entry>();
  const listeners = new Set<(paths: readonly Path[]) => void>();
  let lastId = 0;
  const nextId = () => `c${++lastId}`;
  for (const state of stored) {
    const hunks = state.hunks.map((hunk) => ({ ...hunk, id: nextId() }));
    entries.set(state.path, { state: { ...state, hunks }, past: [] });
  }

  const stateOf = (path: Path) => entries.get(path)?.state;
  const reviewed = (path: Path) => {
    const state = stateOf(path);
    return state && isUnderReview(state) ? state : undefined;
  };
  const tell = (...paths: readonly Path[]) => {
    for (const listener of [...listeners]) listener([...new Set(paths)]);
  };

  /** What is as before the agent leaves review, and its memory goes. */
  function put(state: FileState): void {
    if (isUnderReview(state)) entries.set(state.path, { state, past: [] });
    else entries.delete(state.path);
  }

  /** The same, but it is remembered what was there. */
  function step(entry: Entry, state: FileState): void {
    const known = [...entry.past, ...(isUnderReview(entry.state) ? [entry.state] : [])];
    const past = known.filter(({ base }) => base === state.base).slice(-MAX_PAST);
    entries.delete(state.path);
    if (!isUnderReview(state) && past.length === 0) return;
    entries.set(state.path, { state, past });
    const resting = [...entries.values()].filter((each) => !isUnderReview(each.state));
    for (const each of resting.slice(0, -MAX_RESTING)) entries.delete(each.state.path);
  }

  function back({ state, past }: Entry, text: string | undefined): FileState | undefined {
    return past.find((each) => each.base === state.base && each.from === state.from && isText(each, text));
  }

  function followPerson(entry: Entry, text: string | undefined): void {
    const { state } = entry;
    const known = back(entry, text);
    if (known) return step(entry, known);
    if (!isUnderReview(state)) return void entries.delete(state.path);
    if (text === undefined) {
      // Whoever takes back that the agent made it may take that back too.
      if (state.isNew) step(entry, restoreWrote(state, undefined, nextId));
      else entries.delete(state.path);
      return;
    }
    const next = personWrote(state, text, nextId);
    // Deleted by the agent, made anew by the person: it is theirs, unless it is what was there.
    if (state.isGone && next.hunks.length > 0) entries.delete(state.path);
    else step(entry, next);
  }

  /** The agent found the file so. */
  function meet(path: Path, text: string | undefined): void {
    const entry = entries.get(path);
    if (entry && !isText(entry.state, text)) followPerson(entry, text);
  }

  function remove(state: FileState, origin: EditOrigin): void {
    entries.delete(state.path);
    if (state.isNew) return;
    const { from, ...rest } = agentWrote(state, undefined, origin, nextId);
    if (from === undefined) put(rest);
    else if (!entries.has(from)) put({ ...rest, path: from });
  }

  function move(state: FileState, text: string, to: Path, origin: EditOrigin): void {
    const written = agentWrote(state, text, origin, nextId);
    const there = stateOf(to);
    if (there) {
      put(agentWrote(there, text, origin, nextId));
      remove(state, origin);
      return;
    }
    entries.delete(state.path);
    const { from = state.path, ...rest } = written;
    const isHome = state.isNew || from === to;
    put({ ...rest, path: to, ...(isHome ? {} : { from }) });
  }

  /** A new file where another one was moved away: that one counts as made by the agent, and this one as edited. */
  function takePlace(leaver: FileState, path: Path): FileState {
    const by = leaver.origins.at(-1);
    const before = unchanged(path, leaver.base.join(''));
    if (!by) return before;
    const arrived = agentWrote(unchanged(leaver.path, undefined), textOf(leaver), by, nextId);
    put({ ...arrived, origins: withOrigin(leaver.origins, by) });
    return agentWrote(before, undefined, by, nextId);
  }

  return {
    states: () => [...entries.values()].map(({ state }) => state).filter(isUnderReview),
    files: () =>
      [...entries.values()]
        .map(({ state }) => state)
        .filter(isUnderReview)
        .map(describe)
        .sort(byPath),
    hunks(path) {
      const state = reviewed(path);
      if (!state || state.isGone) return [];
      return state.hunks.map(({ authors: _authors, ...hunk }) => hunk);
    },
    baseline: (path) => reviewed(path)?.base.join(''),
    isFollowed: (path) => entries.has(path),
    originOf(path, line) {
      const hunk = reviewed(path)?.hunks.find(({ start, end }) => start <= line && line < end);
      return hunk?.authors[line - hunk.start];
    },

    agentChanged({ path, before, after, origin, movedTo }) {
      const to = movedTo === path ? undefined : movedTo;
      meet(path, before);
      if (to === undefined && before === after) return;
      const leaver = before === undefined && !entries.has(path) ? leaverOf(path) : undefined;
      const state = leaver ? takePlace(leaver, path) : (stateOf(path) ?? unchanged(path, before));
      const text = after ?? (to === undefined ? undefined : before);
      if (text === undefined) remove(state, origin);
      else if (to === undefined) put(agentWrote(state, text, origin, nextId));
      else move(state, text, to, origin);
      tell(path, ...(to === undefined ? [] : [to]), ...(leaver ? [leaver.path] : []));
    },

    personChanged(path, after) {
      const entry = entries.get(path);
      if (!entry || isText(entry.state, after)) return;
      followPerson(entry, after);
      tell(path);
    },

    personMoved(path, to) {
      const state = stateOf(path);
      const isOver = path !== to && entries.delete(to);
      if (!state || state.isGone || path === to) {
        if (isOver) tell(to);
        return;
      }
      entries.delete(path);
      const { from: _from, ...rest } = state;
      put({ ...rest, path: to });
      tell(path, to);
    },

    restored(path, after) {
      const entry = entries.get(path);
      if (entry) {
        if (isText(entry.state, after)) return;
        const { state } = entry;
        const known = back(entry, after);
        const next = known ?? restoreWrote(state, after, nextId);
        if (after !== undefined || state.from === undefined) step(entry, next);
        else {
          const { from, ...rest } = next;
          entries.delete(path);
          if (!entries.has(from ?? path)) put({ ...rest, path: from ?? path });
        }
        tell(path, ...(state.from === undefined ? [] : [state.from]));
        return;
      }
      const leaver = after === undefined ? undefined : leaverOf(path);
      if (!leaver || after === undefined) return;
      const { from: _from, ...rest } = restoreWrote(leaver, after, nextId);
      entries.delete(leaver.path);
      put({ ...rest, path });
      tell(path, leaver.path);
    },

    keep(path, hunks) {
      const state = reviewed(path);
      if (!state) return;
      const kept = hunks ? withKept(state, new Set(hunks)) : undefined;
      if (kept === state) return;
      if (kept) put(kept);
      else entries.delete(path);
      tell(path);
    },

    planUndo(path, hunks) {
      const state = reviewed(path);
      return state && planUndo(state, hunks && new Set(hunks));
    },

    isBack(rejection) {
      const state = reviewed(rejection.path);
      return state !== undefined && isBack(state, rejection);
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };

  /** The file that the agent has moved away from there. */
  function leaverOf(path: Path): FileState | undefined {
    for (const { state } of entries.values()) if (state.from === path && !state.isGone) return state;
    return undefined;
  }
}

function byPath(a: ReviewedFile, b: ReviewedFile): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

function describe(state: FileState): ReviewedFile {
  const { path, from, hunks, origins } = state;
  const writers = changeOf(state) === 'edited' ? hunks.flatMap((hunk) => hunk.origins) : origins;
  return {
    path,
    change: changeOf(state),
    ...(from === undefined ? {} : { from }),
    added: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
    removed: hunks.reduce((sum, { baseStart, baseEnd }) => sum + baseEnd - baseStart, 0),
    sessions: [...new Set(writers.map(({ session }) => session))],
  };
}

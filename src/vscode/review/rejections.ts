// What the person took back of the agent's changes, kept until the session that wrote them is told with its next request.
import type * as vscode from 'vscode';
import type { Note } from '../../core/agent/notes';
import type { Rejection } from '../../core/review/types';

export interface Rejections {
  add(rejections: readonly Rejection[]): void;
  /** Drops what is not rejected any more. */
  withdraw(isBack: (rejection: Rejection) => boolean): void;
  /** Empties what is kept for the session. */
  take(session: string): readonly Note[];
}

const KEY = 'review.rejections';
/** For a session that is never prompted again. */
const MAX_SESSIONS = 20;
const NOTE_MAX_CHARS = 6_000;

/** A reload before the next prompt loses none. */
export function keptRejections(memory: vscode.Memento): Rejections {
  const bySession = new Map(stored(memory.get(KEY)));
  const keep = () => void memory.update(KEY, bySession.size > 0 ? [...bySession] : undefined);
  return {
    add(rejections) {
      for (const rejection of rejections) {
        const earlier = bySession.get(rejection.session) ?? [];
        bySession.delete(rejection.session);
        bySession.set(rejection.session, [...earlier, rejection]);
      }
      for (const oldest of [...bySession.keys()].slice(0, -MAX_SESSIONS)) bySession.delete(oldest);
      keep();
    },
    withdraw(isBack) {
      for (const [session, rejections] of bySession) {
        const left = rejections.filter((rejection) => !isBack(rejection));
        if (left.length === rejections.length) continue;
        if (left.length > 0) bySession.set(session, left);
        else bySession.delete(session);
        keep();
      }
    },
    take(session) {
      const rejections = bySession.get(session);
      if (!rejections) return [];
      bySession.delete(session);
      keep();
      return [rejectionNote(rejections)];
    },
  };
}

function rejectionNote(rejections: readonly Rejection[]): Note {
  const parts = [
    'The person took back these changes of yours. Do not make them again unless you are asked to, and read a file again before you edit it.',
  ];
  let room = NOTE_MAX_CHARS;
  const unshown: string[] = [];
  for (const { path, calls, diff } of rejections) {
    const part = `${path} (${calls.join(', ')}):\n${diff.trimEnd()}`;
    if (part.length > room) {
      unshown.push(path);
      continue;
    }
    room -= part.length;
    parts.push(part);
  }
  if (unshown.length > 0) parts.push(`Changes in these files too: ${bounded(unshown)}.`);
  return { about: 'rejected changes', text: parts.join('\n\n') };
}

const MAX_NAMES = 20;

function bounded(paths: readonly string[]): string {
  const names = [...new Set(paths)];
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

/** Whatever an earlier version, or a fault, has left there. */
function stored(value: unknown): readonly (readonly [string, readonly Rejection[]])[] {
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is [string, Rejection[]] => {
    const [session, rejections] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return typeof session === 'string' && Array.isArray(rejections) && rejections.every(isRejection);
  });
}

function isRejection(value: unknown): value is Rejection {
  const { session, path, calls, diff, hunks } = Object(value) as Partial<Rejection>;
  return [session, path, diff].every((text) => typeof text === 'string') && [calls, hunks].every(Array.isArray);
}

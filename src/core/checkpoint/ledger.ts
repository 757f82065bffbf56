// What a session's events say of files: which prompts there were, and what each change found and left.
import type { FileState } from '../../common/changes';
import type { AgentEvent, EventOf } from '../../common/events';
import { foldPath } from '../files/names';
import type { Path, Platform } from '../host';
import { readChanges } from './entries';
import { looksAlike } from './state';
import type { Checkpoint } from './types';

/** One path as one change found and left it; absent states: nothing was there. */
export interface Touch {
  /** Equal for all names of one file. */
  readonly key: Path;
  readonly path: Path;
  readonly real: Path;
  readonly before?: FileState;
  readonly after?: FileState;
  readonly lost?: string;
  /** The key of what was moved here. */
  readonly from?: Path;
  /** A restore: what it found was the person's to give up. */
  readonly isRestore?: true;
  /** A restore of this file was taken back: as if neither had been. */
  isVoid?: true;
}

/** What one file is to become again. */
export interface Wanted {
  readonly key: Path;
  readonly path: Path;
  readonly real: Path;
  /** Absent: nothing was there. */
  readonly target?: FileState;
  /** As the last change left it. */
  readonly left?: FileState;
  /** Nothing but the session has changed it between its changes. */
  readonly isUnbroken: boolean;
  /** What is there was moved here from where somebody else had changed it. */
  readonly isForeign?: true;
  readonly lost?: string;
  readonly from?: Path;
}

export interface Restored {
  /** Of its event. */
  readonly seq: number;
  readonly to: string;
  readonly touches: readonly Touch[];
}

interface Turn {
  readonly turn: string;
  readonly prompt: string;
  readonly time: number;
  /** How many touches there were before it. */
  readonly at: number;
  readonly files: Map<Path, Path>;
}

/** Held state of a session. Each event is folded once; what is no change is nothing here, and damaged records are told as lost. */
export class Ledger {
  private readonly turns: Turn[] = [];
  private readonly touches: Touch[] = [];
  private readonly restored: Restored[] = [];

  constructor(private readonly platform: Platform) {}

  apply(event: AgentEvent): void {
    switch (event.type) {
      case 'turn/started':
        this.turns.push({
          ...{ turn: event.turn, prompt: event.text, time: event.time },
          at: this.touches.length,
          files: new Map(),
        });
        return;
      case 'files/changed':
        this.keepChange(event);
        return;
      case 'files/restored':
        this.keepRestore(event);
        return;
      default:
        return;
    }
  }

  /** Whether a call has changed that file, whatever became of it since. */
  hasChanged(path: Path): boolean {
    const key = foldPath(path, this.platform);
    return this.turns.some(({ files }) => files.has(key));
  }

  /** The turn that began last. */
  get latest(): { readonly turn: string; readonly prompt: string } | undefined {
    return this.turns.at(-1);
  }

  list(): readonly Checkpoint[] {
    return this.turns.map(({ turn, prompt, time, files }) => ({ turn, prompt, time, files: [...files.values()] }));
  }

  /** What was changed since that turn began; undefined when there is no such turn. */
  since(turn: string): readonly Wanted[] | undefined {
    const start = this.turns.find((one) => one.turn === turn);
    if (!start) return undefined;
    const wanted = new Map<Path, Wanted>();
    for (let at = start.at; at < this.touches.length; at++) {
      const touch = this.touches[at];
      if (!touch || touch.isVoid) continue;
      const origin = touch.from === undefined ? undefined : wanted.get(touch.from);
      wanted.set(touch.key, followed(wanted.get(touch.key), touch, origin));
    }
    return [...wanted.values()];
  }

  /** The restores that were not wholly taken back, latest first, each with the files that are left of it. */
  undoable(): readonly (Restored & { readonly wanted: readonly Wanted[] })[] {
    return this.restored
      .map((one) => ({
        ...one,
        wanted: one.touches.filter(isOpen).map((touch) => followed(undefined, touch, undefined)),
      }))
      .filter(({ wanted }) => wanted.length > 0)
      .reverse();
  }

  private keepChange({ files }: EventOf<'files/changed'>): void {
    const touches = this.touchesOf(files);
    this.touches.push(...touches);
    for (const { key, path } of touches) this.turns.at(-1)?.files.set(key, path);
  }

  private keepRestore({ files, seq, to, undoes }: EventOf<'files/restored'>): void {
    const touches = this.touchesOf(files).map((touch): Touch => ({ ...touch, isRestore: true }));
    const undone = this.restored.find((one) => one.seq === undoes);
    if (undone) {
      const keys = new Set(touches.map(({ key }) => key));
      for (const touch of undone.touches) if (keys.has(touch.key)) touch.isVoid = true;
      return;
    }
    this.touches.push(...touches);
    this.restored.push({ seq, to, touches });
  }

  private touchesOf(files: unknown): Touch[] {
    return readChanges(files, this.platform).flatMap((file): Touch[] => {
      const { path, real = path, to, realTo = to, before, after, lost } = file;
      const key = foldPath(real, this.platform);
      const why = lost === undefined ? {} : { lost };
      if (to === undefined || realTo === undefined) {
        return [{ key, path, real, ...(before && { before }), ...(after && { after }), ...why }];
      }
      return [
        { key, path, real, ...(before && { before }), ...why },
        { key: foldPath(realTo, this.platform), path: to, real: realTo, ...(after && { after }), from: key },
      ];
    });
  }
}

function isOpen({ isVoid }: Touch): boolean {
  return !isVoid;
}

/**
 * The state from before the first touch is wanted; each later one goes on from where the last one ended, or somebody else was
 * there. What was moved here comes with what happened to it at its `origin`.
 */
function followed(known: Wanted | undefined, touch: Touch, origin: Wanted | undefined): Wanted {
  const { key, path, real, before, after, lost, from, isRestore } = touch;
  const isForeign =
    from === undefined ? known?.isForeign && before : origin && (!origin.isUnbroken || origin.isForeign);
  const came = isForeign ? ({ isForeign: true } as const) : {};
  if (!known) {
    return {
      ...{ key, path, real, isUnbroken: true, ...came },
      ...(before && { target: before }),
      ...(after && { left: after }),
      ...(lost === undefined ? {} : { lost }),
      ...(from === undefined ? {} : { from }),
    };
  }
  const { left, isForeign: _, ...rest } = known;
  const isUnbroken = known.isUnbroken && (isRestore === true || looksAlike(left, before));
  return { ...rest, path, real, isUnbroken, ...came, ...(after && { left: after }) };
}

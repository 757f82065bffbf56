// One old text looked for in one file: what the matchers share, each part worked out once and only when asked for.
import { alignByInk, alignLines, type Alignment } from './align';
import { windowsOf, type Window } from './drift';
import { isTelling } from './fold';
import { inkOf, type Ink } from './ink';
import { lazy } from './lazy';
import { lineText, type TextView } from './lines';
import { anchorsOf, regionsHolding, regionsNear, regionText, type Region } from './regions';

/** What the model asked for, with `\n` as the only line ending. */
export interface Wanted {
  readonly oldText: string;
  readonly newText: string;
}

/** The file's side, shared by all edits of a call. */
export interface FileSide {
  /** Tells prose from code. */
  readonly path: string;
  readonly view: TextView;
}

/** The model's side, as lines. */
export interface Block {
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** The text goes to the end of its last line, line ending included. */
  readonly oldEndsLine: boolean;
  readonly newEndsLine: boolean;
  readonly ink: Ink;
}

export interface Search {
  readonly file: FileSide;
  readonly wanted: Wanted;
  readonly block: () => Block;
  /** Places with the same ink, whatever their layout. */
  readonly alignments: () => readonly Alignment[];
  /** Places with as many lines of which most are the same. */
  readonly windows: () => readonly Window[];
  /** Lines of the file that a window of it stands for. */
  readonly alignWindow: (window: Window) => Alignment;
  readonly fileLine: (index: number) => string;
}

export function searchFor(file: FileSide, wanted: Wanted): Search {
  const { view } = file;
  const block = lazy(() => readBlock(wanted));
  const inksOf = (regions: readonly Region[]) => regions.map((region) => inkOf(regionText(view, region), region.from));
  const anchors = lazy(() => anchorsOf(view, block().ink, block().old));
  const nearInks = lazy(() => inksOf(regionsNear(view, block().ink, anchors())));
  const findAlignments = () => {
    const regions = regionsHolding(view, block().ink, anchors());
    return (regions ? inksOf(regions) : nearInks()).flatMap((ink) => alignByInk(ink, block().ink));
  };
  return {
    file,
    wanted,
    block,
    // A block of braces and blanks stands anywhere: it is found as written or not at all.
    alignments: lazy(() => (isTelling(wanted.oldText) ? findAlignments() : [])),
    windows: lazy(() => windowsOf(nearInks(), block().ink)),
    alignWindow: ({ ink, first }) => alignLines(ink, block().ink, first),
    fileLine: (index) => lineText(view, index),
  };
}

function readBlock({ oldText, newText }: Wanted): Block {
  const oldLines = oldText.replace(/\n$/, '');
  return {
    old: oldLines.split('\n'),
    new: newText === '' ? [] : newText.replace(/\n$/, '').split('\n'),
    oldEndsLine: oldText.endsWith('\n'),
    newEndsLine: newText.endsWith('\n'),
    ink: inkOf(oldLines),
  };
}

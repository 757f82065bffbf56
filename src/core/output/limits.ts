// How much of a result reaches the model, from the tool's own word and the settings.
import type { Settings } from '../../common/settings';
import type { Shape, Tool } from '../tool/tool';

export interface ResultLimits {
  readonly shape: Shape;
  /** A result up to this many characters passes whole. */
  readonly maxChars: number;
  /** What is kept of a longer one, the marker included; never more than `maxChars`. */
  readonly digestChars: number;
}

/** No setting makes a digest so small that the marker would not fit in it. */
const MIN_RESULT_CHARS = 500;
/** For tools that bound their text themselves: reached only by a fault of theirs [K01]. */
const WINDOW_MAX_CHARS = 100_000;

/** Read at each result, so that a changed setting counts at once [G2]. */
export function resultLimits({ shape, limits }: Pick<Tool, 'shape' | 'limits'>, settings: Settings): ResultLimits {
  const wanted = limits.maxResultChars ?? settings.get('tools.maxResultChars');
  const maxChars = Math.max(MIN_RESULT_CHARS, shape === 'window' ? Math.max(WINDOW_MAX_CHARS, wanted) : wanted);
  const digestChars = Math.max(MIN_RESULT_CHARS, settings.get('tools.digestChars'));
  return { shape, maxChars, digestChars: Math.min(maxChars, digestChars) };
}

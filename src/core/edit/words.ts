// Words of names and sentences, and which of them stand for each other in twins.

/** In lower case: `getHTTPName_2` as get, http, name, 2. */
export function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());
}

/** One is the beginning or the end of the other: `user` and `users`, `lock` and `unlock`. */
export function isPart(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) || long.endsWith(short);
}

/** A block that differs from another in one of these is its twin. */
const OPPOSITES: readonly (readonly [string, string])[] =
  `get/set min/max minimum/maximum start/end start/stop begin/end first/last next/prev next/previous left/right top/bottom
  up/down in/out on/off input/output incoming/outgoing inbound/outbound add/remove add/delete add/sub insert/delete insert/remove
  create/delete create/destroy push/pop push/pull read/write load/store load/save open/close show/hide lock/unlock encode/decode
  encrypt/decrypt serialize/deserialize compress/decompress enable/disable enabled/disabled true/false yes/no old/new
  src/dst source/target source/destination from/to before/after client/server request/response send/receive row/col row/column
  width/height pre/post inc/dec increment/decrement head/tail even/odd lower/upper local/global local/remote public/private
  sync/async import/export include/exclude internal/external inner/outer attach/detach ascending/descending asc/desc
  horizontal/vertical positive/negative success/failure success/error pass/fail allow/deny accept/reject parent/child
  floor/ceil sin/cos x/y signed/unsigned mount/unmount connect/disconnect subscribe/unsubscribe undo/redo visible/hidden
  valid/invalid empty/full fast/slow short/long small/large big/little less/greater front/back forward/backward north/south
  east/west master/slave primary/secondary absolute/relative static/dynamic mutable/immutable sender/receiver reader/writer
  getter/setter encoder/decoder higher/lower more/less all/any and/or http/https key/value`
    .split(/\s+/)
    .map((pair) => {
      const [one = '', other = ''] = pair.split('/');
      return [one, other] as const;
    });

/** Shorter ones are opposites as whole words only. */
const MIN_PART_CHARS = 3;

/** As words or within them: `min` and `max`, `minimal` and `maximal`. */
export function areOpposites(one: string, other: string): boolean {
  const isSwapped = (from: string, to: string) =>
    (one === from && other === to) || (from.length >= MIN_PART_CHARS && one.replace(from, to) === other);
  return one !== other && OPPOSITES.some(([left, right]) => isSwapped(left, right) || isSwapped(right, left));
}

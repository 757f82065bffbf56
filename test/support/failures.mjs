// What failed in a stage, found in what it printed: a log may be cut anywhere but at its end.

const FAILURE_MAX_LINES = 14;
const LINE_MAX_CHARS = 240;
const LAST_LINES = 20;
/** Where mocha begins its list, and each of its entries. */
const LIST = /^ +\d+ failing$/gm;
const ENTRY = /^ {2}(?=\d+\) )/m;
/** Steps of a stack that nobody here wrote. */
const FOREIGN = /^\s+at .*(?:node_modules\/|node:internal\/)/;

/**
 * The tests that failed, each with the beginning of its error; the last lines when the stage itself is at fault.
 * @param {string} output without colours
 * @param {string} [fault] why the stage failed as a whole
 * @returns {string[]} a text per failure
 */
export function failuresIn(output, fault) {
  const lists = output.split(LIST).slice(1);
  const tests = lists.flatMap((list) => list.split(ENTRY).slice(1)).map((text) => clip(text, FAILURE_MAX_LINES));
  if (fault === undefined) return tests;
  const last = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  return [...tests, `${fault}; its last lines:\n${clip(last, LAST_LINES)}`];
}

/**
 * The texts that fit, and how many do not.
 * @param {readonly string[]} failures
 * @param {number} maxLines
 * @returns {string}
 */
export function listFailures(failures, maxLines) {
  let room = maxLines;
  const end = failures.findIndex((text) => (room -= text.split('\n').length) < 0);
  const shown = end === -1 ? failures : failures.slice(0, end);
  const left = failures.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more, further up`] : [])].join('\n');
}

/** @param {string} text @param {number} maxLines */
function clip(text, maxLines) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !FOREIGN.test(line));
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > LINE_MAX_CHARS ? `${line.slice(0, LINE_MAX_CHARS)}…` : line));
  return [...shown, ...(lines.length > maxLines ? ['     …'] : [])].join('\n');
}

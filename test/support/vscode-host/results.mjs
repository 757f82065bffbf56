// What a suite inside VS Code tells the process that started it: a JSON file named by LATHE_RESULTS.
import fs from 'node:fs';

/**
 * @typedef {object} SuiteResults
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{ title: string, error: string }[]} failures
 * @property {string} [running] the test that was being run when the file was written
 * @property {boolean} finished false until the whole suite has been run
 */

/**
 * Reads what a suite has written. A suite that never finished counts as one more failure, named by the test it was in.
 * @param {string} file @param {string} howItEnded
 * @returns {SuiteResults}
 */
export function readResults(file, howItEnded) {
  const results = readWritten(file);
  if (results.finished) return results;
  const failure = { title: results.running ?? 'the suite', error: howItEnded };
  return { ...results, failed: results.failed + 1, failures: [...results.failures, failure] };
}

/** @param {string} file @returns {SuiteResults} */
function readWritten(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [], finished: false };
  }
}

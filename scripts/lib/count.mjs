import { readIfExists } from './project.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * Returns the counts of a Vitest run from its JSON report. A file that failed outside its tests (an import, a setup
 * hook) counts as a failure, and so does an aborted run.
 * @param {string} file @param {number} code exit code @returns {Count}
 */
export function vitestCount(file, code) {
  const report = readReport(file);
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const broken = (report?.testResults ?? []).filter(
    (result) =>
      result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = (report?.numFailedTests ?? 0) + broken.length;
  return atLeastOneFailure({ passed: report?.numPassedTests ?? 0, failed, skipped }, code);
}

/**
 * Returns the counts of a Playwright run from its JSON report. Retries are off; a `flaky` test would count as failed.
 * @param {string} file @param {number} code exit code @returns {Count}
 */
export function playwrightCount(file, code) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readReport(file)?.stats ?? {};
  return atLeastOneFailure({ passed: expected, failed: unexpected + flaky, skipped }, code);
}

/** Counts a step without a report as one check. @param {number} code exit code @returns {Count} */
export function singleCount(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function atLeastOneFailure(count, code) {
  return { ...count, failed: Math.max(count.failed, code === 0 ? 0 : 1) };
}

function readReport(file) {
  try {
    return JSON.parse(readIfExists(file) ?? 'null');
  } catch {
    return null;
  }
}

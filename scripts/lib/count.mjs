import { relative } from 'node:path';
import process from 'node:process';
import { readIfThere } from './project.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, flaky?: string[] }} Count */

/**
 * Counts of a Vitest run from its JSON report. A file that failed outside its tests (an import, a set-up hook)
 * is a failure too, and so is a run that broke off.
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
 * The files of a Vitest run in which something failed, from its JSON report; empty when there is none.
 * @param {string} file @returns {string[]}
 */
export function vitestFailedFiles(file) {
  return (readReport(file)?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);
}

/**
 * Counts of a Vitest run whose failed files ran a second time by themselves. What failed at first and passed then is
 * passed, and named in `flaky` (docs/decisions/0020-second-try.md).
 * @param {string} first @param {string} second reports @param {number} code exit code of the second @returns {Count}
 */
export function vitestCountOfTwo(first, second, code) {
  const before = readReport(first);
  const after = vitestCount(second, code);
  const again = new Set(vitestFailedFiles(first));
  const results = before?.testResults ?? [];
  const kept = results
    .filter(({ name }) => !again.has(name))
    .flatMap(({ assertionResults }) => assertionResults);
  const passedBefore = kept.filter(({ status }) => status === 'passed').length;
  const skippedBefore = kept.filter(({ status }) => status === 'pending' || status === 'todo').length;
  const flaky = results
    .filter(({ name }) => again.has(name))
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const shown = relative(process.cwd(), name);
      return failed.length > 0 ? failed.map(({ fullName }) => `${shown} ${fullName}`) : [shown];
    });
  return {
    passed: passedBefore + after.passed,
    failed: after.failed,
    skipped: skippedBefore + after.skipped,
    flaky: after.failed === 0 ? flaky : [],
  };
}

/**
 * Counts of a Playwright run from its JSON report. A test that failed at first and passed when it was tried again is
 * passed, and named in `flaky` (docs/decisions/0020-second-try.md).
 * @param {string} file @param {number} code exit code @returns {Count}
 */
export function playwrightCount(file, code) {
  const report = readReport(file);
  const stats = report?.stats ?? {};
  const passed = (stats.expected ?? 0) + (stats.flaky ?? 0);
  const count = { passed, failed: stats.unexpected ?? 0, skipped: stats.skipped ?? 0 };
  return { ...atLeastOneFailure(count, code), flaky: (report?.suites ?? []).flatMap(flakyIn) };
}

function flakyIn(suite) {
  const specs = (suite.specs ?? []).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [
    ...specs.map(({ file, line, title }) => `${file}:${line} ${title}`),
    ...(suite.suites ?? []).flatMap(flakyIn),
  ];
}

/** A step without a report of its own is one check. @param {number} code exit code @returns {Count} */
export function singleCount(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function atLeastOneFailure(count, code) {
  return { ...count, failed: Math.max(count.failed, code === 0 ? 0 : 1) };
}

function readReport(file) {
  try {
    return JSON.parse(readIfThere(file) ?? 'null');
  } catch {
    return null;
  }
}

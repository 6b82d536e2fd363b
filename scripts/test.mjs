import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwrightCount, singleCount, vitestCount } from './lib/count.mjs';
import { build, checkOwnNode, environment, install, productNode } from './lib/prepare.mjs';
import { inProject, PlainError, root } from './lib/project.mjs';
import { tail } from './lib/run.mjs';
import { endStragglers, MARK, runStep } from './lib/step.mjs';
import { makeTestFolder, memoryFolder } from './lib/test-folders.mjs';

const MINUTE = 60_000;
const reports = inProject('.cache', 'test');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

/** @param {string} report @param {string[]} more */
const vitest = (report, extraArgs = []) => [
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...extraArgs],
];

/**
 * A suite with a separate configuration, `vitest.NAME.config.ts`, that runs only if named.
 * @param {string} name @param {number} minutes @param {Record<string, string>} [env]
 */
function extraSuite(name, minutes, env) {
  const report = join(reports, `${name}.json`);
  return {
    name,
    commands: vitest(report, ['--config', `vitest.${name}.config.ts`]),
    env,
    limitMs: minutes * MINUTE,
    count: (code) => vitestCount(report, code),
    onlyNamed: true,
  };
}

/**
 * Every step runs once, even if earlier ones failed. `tool` is another name for `--only`; a step with `onlyNamed` runs
 * only if `--only` names it.
 */
const STEPS = [
  {
    name: 'types',
    tool: 'tsc',
    commands: [
      ['react-router', 'typegen'],
      ['node', 'vite/messages/declare.ts'],
      // Each checker repeats the work on shared types: four take twice the CPU time of one.
      ['tsc', '--noEmit', '--checkers', '1'],
    ],
    limitMs: 5 * MINUTE,
  },
  { name: 'lint', tool: 'biome', commands: [['biome', 'check', '--colors=off', '.']], limitMs: 5 * MINUTE },
  { name: 'unused', tool: 'knip', commands: [['knip', '--no-progress']], limitMs: 5 * MINUTE },
  {
    name: 'unit and HTTP',
    tool: 'vitest',
    commands: vitest(vitestReport),
    limitMs: 40 * MINUTE,
    count: (code) => vitestCount(vitestReport, code),
  },
  {
    name: 'browser',
    tool: 'playwright',
    commands: [['playwright', 'test', '--reporter=list,json']],
    limitMs: 45 * MINUTE,
    count: (code) => playwrightCount(playwrightReport, code),
  },
  extraSuite('soak', 60, { SOAK: 'true' }),
  {
    name: 'soak-browser',
    commands: [['playwright', 'test', '--reporter=list,json', '--workers=1']],
    env: { SOAK: 'true' },
    limitMs: 90 * MINUTE,
    count: (code) => playwrightCount(playwrightReport, code),
    onlyNamed: true,
  },
  extraSuite('browsers', 20),
  extraSuite('model', 20),
  extraSuite('monitoring', 20),
  extraSuite('deploy', 45),
  extraSuite('scale', 30),
];

const total = { passed: 0, failed: 0 };
const mark = randomBytes(8).toString('hex');
// Both are deleted at the end. The first contains all temporary files of the tests but the databases.
const temporaryFolder = makeTestFolder(tmpdir());
const databaseFolder = makeTestFolder(memoryFolder() ?? temporaryFolder);
const folders = [temporaryFolder, databaseFolder];

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => void cleanUp().finally(() => process.exit(code)));
}

try {
  await runAll(chosenSteps());
} catch (error) {
  total.failed += 1;
  console.error(error instanceof PlainError ? error.message : error);
} finally {
  await cleanUp();
}
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

/** `--only vitest,lint` leaves the other steps out. */
function chosenSteps() {
  const at = process.argv.indexOf('--only');
  if (at === -1) return STEPS.filter((step) => !step.onlyNamed);
  const names = (process.argv[at + 1] ?? '').split(',');
  const known = new Set(STEPS.flatMap((step) => [step.name, step.tool]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new PlainError(
      `--only accepts ${STEPS.map(({ name, tool = name }) => tool).join(', ')}, not "${unknown.join(', ')}".`,
    );
  }
  return STEPS.filter((step) => names.includes(step.name) || names.includes(step.tool));
}

async function runAll(steps) {
  checkOwnNode();
  await install();
  const node = productNode();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const env = {
    ...environment(),
    CI: process.env.CI ?? '1',
    FORCE_COLOR: undefined,
    NO_COLOR: '1',
    TMPDIR: temporaryFolder,
    TEST_DATABASE_FOLDER: databaseFolder,
    [MARK]: mark,
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  };
  const runInSequence = async (chosen) => {
    for (const step of chosen) await runTimed(step.name, () => runTestStep(step, env));
  };
  // The checks only read source files, so they run in parallel with the build, one core each.
  const tests = steps.filter((step) => step.count !== undefined);
  const checks = steps.filter((step) => !tests.includes(step));
  await Promise.all([runInSequence(checks), tests.length > 0 && runTimed('build', () => buildSite(node))]);
  await runInSequence(tests);
}

async function buildSite(node) {
  try {
    await build(node);
    return { count: singleCount(0), output: '' };
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    return { count: singleCount(1), output: error.message };
  }
}

async function runTestStep(step, env) {
  const log = join(reports, `${step.tool ?? step.name}.log`);
  const { code, output } = await runStep(step.commands, {
    cwd: root,
    env: { ...env, ...step.env },
    log,
    limitMs: step.limitMs,
  });
  await endStragglers(mark, folders);
  const timeoutNote = code === 124 ? `\nStopped after ${step.limitMs / MINUTE} minutes.` : '';
  return { count: (step.count ?? singleCount)(code), output: output + timeoutNote };
}

/** Runs one step and prints its result, with the end of its output if something failed. */
async function runTimed(name, work) {
  const startedAt = Date.now();
  const { count, output } = await work();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  if (count.failed > 0 && output !== '') console.log(tail(output, 400));
  const parts = [`${count.passed} passed`, `${count.failed} failed`];
  if (count.skipped > 0) parts.push(`${count.skipped} skipped`);
  console.log(`${count.failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${parts.join(', ')} in ${seconds} s`);
  total.passed += count.passed;
  total.failed += count.failed;
}

async function cleanUp() {
  await endStragglers(mark, folders);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

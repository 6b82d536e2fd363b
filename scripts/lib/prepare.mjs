import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { readEnvironmentFile } from './environment-file.mjs';
import { withLock } from './lock.mjs';
import {
  hashOf,
  inProject,
  isRelease,
  PlainError,
  readIfExists,
  root,
  siteFolder,
  writeAtomically,
} from './project.mjs';
import {
  currentRelease,
  draftRelease,
  releaseFolder,
  removeUnused,
  storeRelease,
  switchTo,
} from './releases.mjs';
import { head, runQuietly, tail, withProgress } from './run.mjs';

const MIN_NODE = [22, 22];
const INSTALL_STAMP = inProject('node_modules', '.install-stamp');
const BUILD = inProject('build');

/** Throws a PlainError if the machine's Node is too old for npm and these scripts. */
export function checkOwnNode() {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new PlainError(
      `Node 20 or newer is required, but this is ${process.version}. See https://nodejs.org`,
    );
  }
}

/** Installs the packages if the lockfile changed; other processes wait meanwhile. A release already contains them. */
export function install() {
  if (isRelease) return;
  return withPrepareLock(async (onStart) => {
    const expectedHash = installHash();
    if (readIfExists(INSTALL_STAMP) === expectedHash) return;
    rmSync(INSTALL_STAMP, { force: true });
    const result = await withProgress('Installing packages', () => runNpmCi(onStart));
    if (result.code !== 0) {
      throw new PlainError(`${head(result.output, 20)}\nThe installation failed. See the output above.`);
    }
    writeAtomically(INSTALL_STAMP, expectedHash);
  });
}

/** Installs the packages of a subproject if they are missing. @param {string} folder with its lockfile */
export function installSubproject(folder) {
  return withPrepareLock(async (onStart) => {
    if (existsSync(inProject(folder, 'node_modules'))) return;
    const result = await withProgress(`Installing the packages for ${folder}`, () =>
      runNpmCi(onStart, inProject(folder)),
    );
    if (result.code === 0) return;
    rmSync(inProject(folder, 'node_modules'), { recursive: true, force: true });
    throw new PlainError(`${head(result.output, 20)}\nThe installation failed. See the output above.`);
  });
}

/** File with the id of the build that `npm run rollback` replaced. */
export const ROLLED_BACK = join(BUILD, 'rolled-back');

/**
 * Builds the site if any input changed. A running build is not changed.
 * @param {string} node path of the Node to build with
 * @param {{ afterRollback?: boolean }} [options] whether to use a build that `npm run rollback` replaced
 */
export function build(node, { afterRollback = true } = {}) {
  if (isRelease) return;
  return withPrepareLock(async (onStart) => {
    const expectedHash = hashOf(buildInputs(), (path) => !/\.test\.tsx?$/.test(path));
    const id = expectedHash.slice(0, 16);
    if (!afterRollback && readIfExists(ROLLED_BACK) === id) {
      console.error(
        'Using the previous build, after npm run rollback. To use the newest one again: npm run build',
      );
      return;
    }
    rmSync(ROLLED_BACK, { force: true });
    const isComplete = existsSync(join(releaseFolder(BUILD, id), 'server', 'main.js'));
    if (isComplete && currentRelease(BUILD) === id) return;
    if (!isComplete) await buildRelease(node, id, onStart);
    switchTo(BUILD, id);
    removeUnused(BUILD);
  });
}

async function buildRelease(node, id, onStart) {
  // For commands and tests that run the source files directly.
  await runQuietly(node, [inProject('vite', 'messages', 'declare.ts')], { cwd: root, onStart });
  const draft = draftRelease(BUILD);
  const tool = inProject('node_modules', '.bin', 'react-router');
  const env = { ...environment(), NODE_ENV: 'production', BUILD_FOLDER: relative(root, draft) };
  const result = await withProgress('Building the site', () =>
    runQuietly(node, [tool, 'build'], { cwd: root, env, onStart }),
  );
  if (result.code !== 0 || !existsSync(join(draft, 'server', 'main.js'))) {
    rmSync(draft, { recursive: true, force: true });
    throw new PlainError(`${tail(result.output, 60)}\nThe build failed. See the output above.`);
  }
  cpSync(inProject('migrations'), join(draft, 'migrations'), { recursive: true });
  storeRelease(BUILD, draft, id);
}

/** Returns the path of the Node for the product: the one npm installed, or else this one if it is new enough. */
export function productNode() {
  const installedNode = inProject('node_modules', '.bin', 'node');
  for (const node of [installedNode, process.execPath]) {
    if (!existsSync(node)) continue;
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const [major, minor] = version.slice(1).split('.').map(Number);
    if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return node;
  }
  throw new PlainError(
    `Node ${MIN_NODE.join('.')} or newer is required. npm has none for ${process.platform}-${process.arch}, ` +
      `and this is ${process.version}. See https://nodejs.org`,
  );
}

/**
 * Returns this process's environment with the project's programs, including its Node, first on the PATH. Node's compile
 * cache halves the start time.
 */
export function environment() {
  return {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inProject('.cache', 'compile'),
    PATH: `${inProject('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
  };
}

/** Returns the variables of `.env`, overridden by this process's environment. An empty variable counts as unset. */
export function siteEnvironment() {
  const { values, warnings } = readEnvironmentFile(join(siteFolder, '.env'));
  for (const warning of warnings) console.error(warning);
  return { ...values, ...environment() };
}

function withPrepareLock(work) {
  const onWait = (pid) => console.error(`Waiting for process ${pid}, which is preparing the project.`);
  return withLock('prepare', { onWait }, work);
}

/**
 * Installs the project's packages for another system into a folder that contains its package.json and lockfile.
 * @param {string} folder
 * @param {{ os: string, cpu: string }} system
 */
export async function installForSystem(folder, { os, cpu }) {
  const extraArgs = ['--omit=dev', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc'];
  const result = await withProgress(`Fetching the packages for ${os}-${cpu}`, () =>
    runNpmCi(() => undefined, folder, extraArgs),
  );
  if (result.code !== 0) {
    throw new PlainError(`${head(result.output, 20)}\nThe installation failed. See the output above.`);
  }
}

/** Includes the system, because packages differ: a folder copied from another system is installed again. */
function installHash() {
  return `${hashOf(['package-lock.json'])} ${process.platform}-${process.arch}`;
}

function runNpmCi(onStart, cwd = root, extraArgs = ['--include=dev']) {
  // NODE_ENV or the machine's npm settings could omit packages that building and running need.
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=optional',
    ...extraArgs,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const options = { cwd, env: { ...process.env, NODE_ENV: 'development' }, onStart };
  const { npm_execpath: npm, npm_node_execpath: npmNode } = process.env;
  if (npm === undefined || !/\.c?js$/.test(npm)) return runQuietly('npm', args, options);
  // This script may itself run on the Node inside node_modules, which npm is about to replace.
  const node = npmNode !== undefined && existsSync(npmNode) ? npmNode : process.execPath;
  return runQuietly(node, [npm, ...args], options);
}

function buildInputs() {
  const configs = readdirSync(root).filter((name) =>
    /^(vite|react-router)\.config\.\w+$|^tsconfig.*\.json$/.test(name),
  );
  return [
    'src',
    'content',
    'messages',
    'vite',
    'public',
    'migrations',
    'standins',
    'package-lock.json',
    ...configs,
  ];
}

import { spawn } from 'node:child_process';
import { build, checkOwnNode, install, productNode, siteEnvironment } from './lib/prepare.mjs';
import { inProject, isRelease, PlainError, readIfExists, siteFolder } from './lib/project.mjs';
import { serverFlags } from './lib/server-flags.mjs';

/** One Ctrl+C arrives twice, from the terminal and from npm; a later signal is a second Ctrl+C. */
const REPEAT_MS = 1000;

try {
  checkOwnNode();
  await install();
  const node = productNode();
  await build(node, { afterRollback: false });
  serve(node);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Runs the built server and passes signals on. @param {string} node */
function serve(node) {
  const env = { NODE_ENV: 'production', ...siteEnvironment() };
  const args = [...serverFlags, inProject('build', 'server', 'main.js')];
  // With a release's Node, this process becomes the server, so its supervisor can signal the server directly.
  if (isRelease && process.execve) {
    process.chdir(siteFolder);
    process.execve(node, [node, ...args], env);
  }
  /** Running replies get DRAIN_SECONDS (default: 25), then the server stops within 10 s. */
  const stopLimitMs = ((Number(env.DRAIN_SECONDS) || 25) + 15) * 1000;
  // In a separate process group, the server does not also receive the terminal's Ctrl+C.
  const server = spawn(node, args, {
    cwd: siteFolder,
    env,
    stdio: 'inherit',
    detached: true,
  });
  let stoppingSince = 0;

  const stop = (signal) => {
    if (stoppingSince !== 0) return;
    stoppingSince = Date.now();
    server.kill(signal);
    // Kills a server that hangs, so that the terminal is usable again.
    setTimeout(() => {
      console.error(`The server did not stop within ${stopLimitMs / 1000} s. Killing it.`);
      server.kill('SIGKILL');
    }, stopLimitMs).unref();
  };
  process.on('SIGINT', () => {
    if (stoppingSince === 0) stop('SIGINT');
    else if (Date.now() - stoppingSince > REPEAT_MS) server.kill('SIGINT');
  });
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGHUP', () => stop('SIGTERM'));
  stopWithNpm(() => stop('SIGTERM'));

  server.once('error', (error) => {
    console.error(`Could not start the server: ${error.message}`);
    process.exit(1);
  });
  server.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
}

/**
 * Calls `stop` when a parent process changes: some shells between npm and this process die of npm's signal without
 * passing it on, and a killed npm passes on nothing.
 * @param {() => void} stop
 */
function stopWithNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const lineage = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const initial = lineage();
  setInterval(() => {
    if (lineage() !== initial) stop();
  }, 500).unref();
}

/** @param {number} pid @returns {string} the parent's pid, or '' without /proc */
function parentOf(pid) {
  return /^PPid:\s*(\d+)/m.exec(readIfExists(`/proc/${pid}/status`) ?? '')?.[1] ?? '';
}

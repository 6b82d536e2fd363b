import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Environment variable that marks every process of a test run, so that leftover processes can be recognized. */
export const MARK = 'TEST_RUN';

/**
 * Runs commands one after the other until one fails, each in a separate process group, and writes their output to a
 * log file. When a command ends, the rest of its process group is killed.
 * @param {string[][]} commands each a program and its arguments
 * @param {{ cwd: string, env: Record<string, string | undefined>, log: string, limitMs: number }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runStep(commands, options) {
  const log = openSync(options.log, 'w');
  let code = 0;
  try {
    for (const [program, ...args] of commands) {
      if (code === 0) code = await runOne(program, args, log, options);
    }
  } finally {
    closeSync(log);
  }
  return { code, output: readFileSync(options.log, 'utf8') };
}

/** @returns {Promise<number>} exit code; 124 after the time limit, 127 if the program could not be started */
function runOne(program, args, log, { cwd, env, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', log, log], detached: true });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      signalGroup(child.pid, 'SIGKILL');
    }, limitMs);
    const abandon = () => signalGroup(child.pid, 'SIGKILL');
    process.once('exit', abandon);
    const finish = (code) => {
      clearTimeout(timer);
      process.off('exit', abandon);
      signalGroup(child.pid, 'SIGKILL');
      resolve(timedOut ? 124 : code);
    };
    child.once('error', () => finish(127));
    child.once('exit', (code) => finish(code ?? 1));
  });
}

function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has no processes left.
  }
}

/**
 * Ends leftover processes of a test run outside its process groups: those with its mark, or with a working directory in
 * one of its temporary folders (the database, which starts with an empty environment). Linux only, through /proc.
 * @param {string} mark
 * @param {string[]} folders
 */
export async function endStragglers(mark, folders) {
  for (const signal of ['SIGINT', 'SIGKILL']) {
    const pids = stragglers(mark, folders);
    for (const pid of pids) signalOne(pid, signal);
    for (let attempt = 0; attempt < 60 && stragglers(mark, folders).length > 0; attempt += 1) await delay(50);
  }
}

function stragglers(mark, folders) {
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid && isStraggler(name, mark, folders),
  );
}

function isStraggler(pid, mark, folders) {
  try {
    if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${MARK}=${mark}`)) return true;
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return folders.some((folder) => cwd === folder || cwd.startsWith(`${folder}/`));
  } catch {
    return false;
  }
}

function signalOne(pid, signal) {
  try {
    process.kill(Number(pid), signal);
  } catch {
    // It has already ended.
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { projectRoot, releaseRoot } from './config/project-root.server.ts';

/** A long text takes about three seconds on an idle machine; the slowest run so far took eight. */
const TIMEOUT_MS = 60_000;

/** Lets pages and conversations run first. */
export function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid) setPriority(pid, niceness);
  } catch {
    // It has already ended.
  }
}

/** Clock ticks per second in /proc: Linux uses this value on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU milliseconds of a process, including those before an exec; null if it has ended or the system does not tell. */
function cpuMs({ pid }: ChildProcess): number | null {
  try {
    // The name is in parentheses and may contain spaces; `utime` and `stime` are fields 12 and 13 after it (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

const CHECK_MS = 250;
/** Most wall time, as a multiple of the CPU limit: on a busy machine a process gets only part of each second. */
const WALL_TIME_FACTOR = 3;

/**
 * Kills a process that uses more than `ms` of CPU time, or runs for three times as long. Where the system does not
 * report CPU time, wall time is limited to `ms`.
 */
export function limitWork(child: ChildProcess, ms: number, onTimeout?: () => void): { end(): void } {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    if ((cpuMs(child) ?? elapsed) <= ms && elapsed <= WALL_TIME_FACTOR * ms) return;
    clearInterval(timer);
    onTimeout?.();
    child.kill('SIGKILL');
  }, CHECK_MS);
  return { end: () => clearInterval(timer) };
}

export async function runProgram(
  name: string,
  input: object,
  { niceness, args = [] }: { niceness: number; args?: string[] },
): Promise<{ child: ChildProcess; output: Buffer }> {
  const program = join(releaseRoot, `server/${name}.js`);
  const child = spawn(process.execPath, [...args, program], {
    cwd: projectRoot,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child, niceness);
  const ended = once(child, 'close');
  // Writing to a program that ended early fails; its exit code reports that.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const [output] = await Promise.all([buffer(child.stdout), ended]);
  return { child, output };
}

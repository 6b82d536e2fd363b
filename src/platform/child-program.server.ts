import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { projectRoot, releaseRoot } from './config/project-root.server.ts';

/** A long text takes about three seconds on an idle machine, the worst that was found eight. */
const TIMEOUT_MS = 60_000;

/** Pages and conversations come first. */
export function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid) setPriority(pid, niceness);
  } catch {
    // It has ended already.
  }
}

/** Ticks a second in which Linux counts the time of a process, on every architecture that Node runs on. */
const TICKS = 100;

/** Milliseconds that a process has worked, with what it was before an exec; null where the system does not say, or it has ended. */
function workedMs({ pid }: ChildProcess): number | null {
  try {
    // Its name is in brackets and may hold blanks; `utime` and `stime` are the 12th and 13th field after it (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
  } catch {
    return null;
  }
}

const LOOK_MS = 250;
/** Of the time that it may work: a machine that does other work leaves it a part of each second. */
const LONGEST = 3;

/**
 * Kills a process that works longer than `ms`, or waits and works three times as long. Where the system does not say how
 * long it works, time as it passes counts.
 */
export function limitWork(child: ChildProcess, ms: number, onLate?: () => void): { end(): void } {
  const begun = performance.now();
  const timer = setInterval(() => {
    const passed = performance.now() - begun;
    if ((workedMs(child) ?? passed) <= ms && passed <= LONGEST * ms) return;
    clearInterval(timer);
    onLate?.();
    child.kill('SIGKILL');
  }, LOOK_MS);
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
  // Where it ends early, its exit tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  const [output] = await Promise.all([buffer(child.stdout), ended]);
  return { child, output };
}

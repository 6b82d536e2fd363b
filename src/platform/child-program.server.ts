import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

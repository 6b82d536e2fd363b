import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { codeOf } from './embedded-error.server.ts';
import type { SystemAccount } from './system-account.server.ts';

/** Options for starting a database process. It gets nothing of our environment, which contains secrets. */
export function spawnSettings(account: SystemAccount, cwd: string) {
  return {
    cwd,
    env: {
      PATH: process.platform === 'darwin' ? '/usr/bin:/bin' : '/usr/local/bin:/usr/bin:/bin',
      LC_MESSAGES: 'C',
    },
    ...(account.switched ? { uid: account.uid, gid: account.gid } : {}),
  };
}

export function runToCompletion(
  program: string,
  options: { args: string[]; input?: string; account: SystemAccount; cwd: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options.args, {
      ...spawnSettings(options.account, options.cwd),
      stdio: 'pipe',
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      if (output.length < 65_536) output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
    // Writing to a program that ended early fails; its exit code reports the cause.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether a process is alive. A zombie is not: in a container without an init, dead orphans stay listed. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!sendSignal(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  // The state follows the program's name, which is in parentheses (proc_pid_stat(5)).
  const fields = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return fields !== '' && !/\) [ZX] /.test(fields);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RunningStandIns {
  base: string;
  smtpPort: number;
  dir: string;
  process: ChildProcess;
  stop(): Promise<number | null>;
  remove(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let errorOutput = '';
    child.stderr?.on('data', (part: Buffer) => {
      errorOutput += part.toString();
    });
    child.stdout?.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
    child.once('close', (code) =>
      reject(new Error(`The stand-ins ended with ${code}: ${errorOutput.trim()}`)),
    );
    child.once('error', reject);
  });
}

/** Starts stand-ins that end with this process. Rejects with their stderr when they refuse to start. */
export async function spawnStandIns(
  options: { env?: Record<string, string>; dir?: string; args?: string[] } = {},
): Promise<RunningStandIns> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'standins-')));
  const child = spawn(process.execPath, [MAIN, ...(options.args ?? [])], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      STANDINS_PORT: '0',
      STANDINS_SMTP_PORT: '0',
      STANDINS_DIR: dir,
      STANDINS_TIED: '1',
      STANDINS_MARKERS: '1',
      ...options.env,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = await firstLine(child).catch(async (error: unknown) => {
    if (!options.dir) await rm(dir, { recursive: true, force: true });
    throw error;
  });
  const ready = JSON.parse(line) as { http: number; smtp: number };
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return {
    base: `http://127.0.0.1:${ready.http}`,
    smtpPort: ready.smtp,
    dir,
    process: child,
    stop,
    remove: async () => {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

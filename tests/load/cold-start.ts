import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { serverFlags } from '../../scripts/lib/server-flags.mjs';
import { memoryMb, quantile, round } from './process.ts';

const ENTRY = resolve(import.meta.dirname, '../../build/server/main.js');

async function firstPage(dataDir: string, port: number): Promise<{ ms: number; rss: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...serverFlags, ENTRY], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir },
  });
  const exited = once(child, 'exit');
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) break;
    if (child.exitCode !== null) throw new Error('The server ended.');
    await delay(5);
  }
  const ms = performance.now() - startedAt;
  await delay(3_000);
  const rss = memoryMb(child.pid ?? 0).now;
  child.kill('SIGTERM');
  await exited;
  return { ms, rss };
}

/** Measures from process start to the first page, including embedded database and stand-ins, on existing data. */
export async function coldStart(runs = 5) {
  const dataDir = mkdtempSync(join(tmpdir(), 'site-cold-'));
  chmodSync(dataDir, 0o755);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const first = await firstPage(dataDir, port);
  const results: Array<{ ms: number; rss: number }> = [];
  for (let i = 0; i < runs; i++) results.push(await firstPage(dataDir, port));
  rmSync(dataDir, { recursive: true, force: true });
  return {
    'first ever, ms (database made)': round(first.ms, 0),
    'later, median ms': round(
      quantile(
        results.map(({ ms }) => ms),
        0.5,
      ),
      0,
    ),
    'idle RSS MB, median': quantile(
      results.map(({ rss }) => rss),
      0.5,
    ),
  };
}

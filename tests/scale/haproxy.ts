import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/server.ts';

const shipped = resolve(import.meta.dirname, '../../deploy/haproxy.cfg');

export interface Balancer {
  url: string;
  stop(): Promise<void>;
}

/** The shipped haproxy configuration with this machine's ports and without a certificate. */
export async function startBalancer(port: number, processes: number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'site-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const servers = (options: (name: string) => string) =>
    processes.map((each, at) => `    server p${at} 127.0.0.1:${each}${options(`p${at}`)}`).join('\n');
  const config = readFileSync(shipped, 'utf8')
    .replaceAll('example.com', `localhost:${port}`)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/^ {4}server one \S+ track[\s\S]*?two$/m, () => servers((name) => ` track site/${name}`))
    .replace(/^ {4}server one \S+\n.*$/m, () => servers(() => ''));
  writeFileSync(file, config);
  execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://localhost:${port}`;
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  return {
    url,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

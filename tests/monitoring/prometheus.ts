import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from '../support/raw.ts';
import { eventually } from '../support/server.ts';

export const shipped = resolve(import.meta.dirname, '../../deploy/monitoring');

/** Runs promtool. @returns its exit code and output */
export function promtool(args: string[], input?: string): { code: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw new Error("promtool is missing: install Debian's prometheus.");
  return { code: status, output: `${stdout}${stderr}`.trim() };
}

export interface Alert {
  name: string;
  site: string;
  state: string;
}

export interface Prometheus {
  alerts(): Promise<Alert[]>;
  query(expression: string): Promise<Array<{ metric: Record<string, string>; value: [number, string] }>>;
  stop(): Promise<void>;
}

/** Starts Prometheus with the shipped configuration and rules; only the targets and the path of the token differ. */
export async function startPrometheus(
  targets: Array<{ site: string; address: string }>,
  token: string,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'site-prometheus-'));
  const config = parse(readFileSync(join(shipped, 'prometheus.yml'), 'utf8')) as {
    scrape_configs: Array<{ authorization: { credentials_file: string }; static_configs: unknown }>;
  };
  const [scrape] = config.scrape_configs;
  if (!scrape) throw new Error('The shipped configuration scrapes nothing.');
  scrape.authorization.credentials_file = join(folder, 'token');
  scrape.static_configs = targets.map(({ site, address }) => ({ targets: [address], labels: { site } }));
  writeFileSync(join(folder, 'token'), token);
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  copyFileSync(join(shipped, 'alerts.yml'), join(folder, 'alerts.yml'));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return ((await response.json()) as { data: T }).data;
  };
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok);
  return {
    async alerts() {
      const { alerts } = await ask<{ alerts: Array<{ labels: Record<string, string>; state: string }> }>(
        'alerts',
      );
      return alerts.map(({ labels, state }) => ({
        name: labels.alertname ?? '',
        site: labels.site ?? '',
        state,
      }));
    },
    query: async (expression) =>
      (
        await ask<{ result: Array<{ metric: Record<string, string>; value: [number, string] }> }>(
          `query?query=${encodeURIComponent(expression)}`,
        )
      ).result,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { failures, type Stop, unmountDisk } from './failures.ts';
import { type Prometheus, promtool, shipped, startPrometheus } from './prometheus.ts';

const TOKEN = 'figures-0123456789-0123456789-0123';
/** An operator must be notified of each failure within two minutes. */
const ALERT_MS = 120_000;

const file = (name: string) => `${shipped}/${name}`;
const environment = { METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: '127.0.0.1' };

let healthy: TestServer;
beforeAll(async () => {
  healthy = await startTestServer({ postgres: inject('postgres'), env: environment });
});
afterAll(() => healthy.stop());

describe('promtool accepts', () => {
  test('the metrics', async () => {
    const response = await fetch(`${healthy.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(promtool(['check', 'metrics'], await response.text())).toEqual({ code: 0, output: '' });
  });

  test('the rules, the configuration, and the tests of the rules', () => {
    expect(promtool(['check', 'rules', file('alerts.yml')])).toMatchObject({ code: 0 });
    expect(promtool(['check', 'config', '--syntax-only', file('prometheus.yml')])).toMatchObject({ code: 0 });
    expect(promtool(['test', 'rules', file('alerts.test.yml')])).toMatchObject({ code: 0 });
  });
});

describe('within two minutes Prometheus reports', () => {
  const possibleFailures = failures.filter(({ possible = true }) => possible);
  const servers = new Map<string, TestServer>();
  const startedAt = new Map<string, number>();
  const firedAt = new Map<string, number>();
  const stops: Stop[] = [];
  let prometheus: Prometheus;
  let watch: NodeJS.Timeout;

  beforeAll(async () => {
    for (const { site, options } of possibleFailures) {
      const { env, ...own } = (await options?.(healthy)) ?? {};
      const all = { postgres: inject('postgres'), ...own, env: { ...environment, ...env } };
      servers.set(site, await startTestServer(all));
    }
    const targets = [...servers, ['healthy', healthy] as const].map(([site, { url }]) => ({
      site,
      address: new URL(url).host.replace('localhost', '127.0.0.1'),
    }));
    prometheus = await startPrometheus(targets, TOKEN);
    await eventually(
      async () => (await prometheus.query('count_over_time(up[5m]) >= 3')).length === targets.length,
      90_000,
    );
    expect((await prometheus.alerts()).filter(({ state }) => state === 'firing')).toEqual([]);
    watch = setInterval(async () => {
      for (const { name, site, state } of await prometheus.alerts().catch(() => []))
        if (state === 'firing' && !firedAt.has(`${site} ${name}`))
          firedAt.set(`${site} ${name}`, performance.now());
    }, 500);
    for (const { site, start } of possibleFailures) {
      startedAt.set(site, performance.now());
      const end = await start(servers.get(site) as TestServer);
      if (end) stops.push(end);
    }
  });
  afterAll(async () => {
    clearInterval(watch);
    for (const end of stops) end();
    await prometheus?.stop();
    for (const server of servers.values()) await server.stop();
    unmountDisk();
    const seconds = (site: string, at: number) => Math.round((at - (startedAt.get(site) ?? at)) / 1000);
    for (const [alert, at] of firedAt) {
      const [site = ''] = alert.split(' ');
      console.log(`${alert.padEnd(50)} after ${seconds(site, at)} s`);
    }
  });

  for (const { site, alert, possible = true } of failures)
    test.skipIf(!possible)(`${site}: ${alert}`, async () => {
      const at = await eventually(async () => firedAt.get(`${site} ${alert}`), ALERT_MS + 10_000);
      expect(at - (startedAt.get(site) ?? 0)).toBeLessThan(ALERT_MS);
    });

  test('nothing about a healthy site', () => {
    expect([...firedAt.keys()].filter((alert) => alert.startsWith('healthy '))).toEqual([]);
  });
});

import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { liveRuns, openStreams, startRunMetrics } from '#features/generations/service.server.ts';
import { config, isLoopbackHost } from '#platform/config/config.server.ts';
import { projectRoot } from '#platform/config/project-root.server.ts';
import { acceptsWrites } from '#platform/database/write-check.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { startMachineGauges } from '#platform/metrics/machine-gauges.server.ts';
import { defineGauge, metricsText, metricsType, startMetrics } from '#platform/metrics/registry.server.ts';
import { startSiteMetrics } from './operator/site-metrics.server.ts';

const { name, version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

export const siteVersion = version;

/** Headers added by proxies; requests through a proxy that adds none of them look like local requests. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Returns whether a request seems local. A best guess, used only in a sandbox without a token and a public URL. */
function isLocal(c: Context<AppEnv>): boolean {
  const socket = getConnInfo(c).remote.address ?? '';
  return (
    config().sandbox &&
    config().METRICS_TOKEN === undefined &&
    config().PUBLIC_URL === undefined &&
    isLoopbackHost(socket.replace(/^::ffff:/, '')) &&
    forwardingHeaders.every((name) => c.req.header(name) === undefined) &&
    isLoopbackHost(c.req.header('host') ?? '')
  );
}

function hasToken(c: Context<AppEnv>): boolean {
  const expected = Buffer.from(`Bearer ${config().METRICS_TOKEN ?? ''}`);
  const actual = Buffer.from(c.req.header('authorization') ?? '');
  return (
    config().METRICS_TOKEN !== undefined &&
    expected.length === actual.length &&
    timingSafeEqual(expected, actual)
  );
}

export function healthApi(isReady: () => boolean): Hono<AppEnv> {
  startMetrics();
  startMachineGauges(config().dataDir);
  startSiteMetrics(version);
  startRunMetrics();
  defineGauge({
    name: 'site_event_streams',
    help: 'Event streams being served',
    read: () => [{ value: openStreams() }],
  });
  defineGauge({
    name: 'site_runs_running',
    help: 'Runs of this process',
    read: () => [{ value: liveRuns.size }],
  });
  const api = new Hono<AppEnv>();
  api.get('/healthz', (c) => c.json({ ok: true }));
  api.get('/readyz', async (c) => {
    const ready = isReady() && (await acceptsWrites());
    return c.json({ ready }, ready ? 200 : 503);
  });
  api.get('/version', (c) => c.json({ name, version }));
  api.get('/metrics', async (c) => {
    if (!isLocal(c) && !hasToken(c)) throw notFound();
    return c.body(await metricsText(), 200, { 'content-type': metricsType });
  });
  return api;
}

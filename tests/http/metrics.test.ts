import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { send, waitForEnd } from '../support/chat.ts';
import { deliver, purchase, subscriptionEvent } from '../support/creem-events.ts';
import { readExposition, type Selector, type Series, selectorsOf } from '../support/exposition.ts';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

const TOKEN = 'figures-0123456789-0123456789-0123';
const SHIPPED = resolve(import.meta.dirname, '../../deploy/monitoring');
/** Labels that the collector adds. */
const targetLabels = ['job', 'site', 'instance'];
const collectorSeries = ['up', 'ALERTS'];

const read = (name: string) => readFileSync(join(SHIPPED, name), 'utf8');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { METRICS_TOKEN: TOKEN, SPEND_CAP_DAY: '25', BACKUP_DIR: '/nowhere/backups' },
  });
  await server.database.query(`insert into instance_values (key, value) values ('last-backup', $1)`, [
    JSON.stringify({ address: '/nowhere/backups/one.tar.zst', madeAt: '2026-11-01T03:15:00.000Z' }),
  ]);
});
afterAll(() => server.stop());

const text = async () =>
  (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();

const figures = async (): Promise<Series[]> => readExposition(await text());

const sumOf = (series: Series[], name: string, labels: Record<string, string> = {}) =>
  series
    .filter(
      (each) =>
        each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);

interface Panel {
  targets?: Array<{ expr: string }>;
}

function shippedExpressions(): string[] {
  const rules = parse(read('alerts.yml')) as { groups: Array<{ rules: Array<{ expr: string }> }> };
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: Panel[];
    annotations: { list: Array<{ expr: string }> };
    templating: { list: Array<{ definition?: string }> };
  };
  return [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.annotations.list.map(({ expr }) => expr),
    ...dashboard.templating.list.flatMap(({ definition }) =>
      definition ? [/^label_values\((.*), \w+\)$/.exec(definition)?.[1] ?? definition] : [],
    ),
  ].map((expr) => expr.replaceAll('$__rate_interval', '5m'));
}

/** Returns the parts of a selector that match no series. */
function missing({ name, matchers }: Selector, series: Series[]): string[] {
  if (collectorSeries.includes(name)) return [];
  const own = series.filter((each) => each.name === name);
  if (own.length === 0) return [name];
  return matchers
    .filter(({ label }) => !targetLabels.includes(label))
    .flatMap(({ label, value }) =>
      value.split('|').map((one) => ({ label, one, there: own.some((each) => each.labels[label] === one) })),
    )
    .filter(({ there }) => !there)
    .map(({ label, one }) => `${name}{${label}="${one}"}`);
}

test('every series that the alerts and the dashboard use exists, with the label values they use', async () => {
  const series = await eventually(async () => {
    const all = await figures();
    const names = new Set(all.map(({ name }) => name));
    return names.has('site_last_backup_timestamp_seconds') && names.has('site_jobs_due') && all;
  });
  const selectors = shippedExpressions().flatMap(selectorsOf);
  expect(selectors.length).toBeGreaterThan(80);
  expect(selectors.flatMap((selector) => missing(selector, series))).toEqual([]);
  // Proves that the check detects missing series.
  const wrong = selectorsOf('rate(site_nothing[5m]) / site_mails_total{outcome=~"sent|lost"}');
  expect(wrong.flatMap((selector) => missing(selector, series))).toEqual([
    'site_nothing',
    'site_mails_total{outcome="lost"}',
  ]);
});

test('the operator’s manual lists each alert and each of our series', async () => {
  const manual = readFileSync(resolve(SHIPPED, '../../docs/operations.md'), 'utf8');
  const names = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const alerts = names.map((name) => `| ${name} |`);
  const series = (await figures())
    .map(({ name }) => name.replace(/_(bucket|sum|count)$/, ''))
    .filter((name) => /^(site|http)_/.test(name))
    .map((name) => `\`${name}\``);
  expect(alerts.length).toBeGreaterThan(20);
  // `npm run test:monitoring` runs these with `promtool test rules`.
  const tested = names.filter((name) => read('alerts.test.yml').includes(`alertname: ${name}`));
  expect(tested).toEqual(names);
  expect([...alerts, ...new Set(series)].filter((name) => !manual.includes(name))).toEqual([]);
});

test('each metric has a help text, one type per family, and buckets that add up', async () => {
  const exposition = await text();
  const series = readExposition(exposition);
  for (const { name } of series)
    expect(exposition).toMatch(
      new RegExp(`^# HELP ${name.replace(/_(bucket|sum|count)$/, '(_(bucket|sum|count))?')} .`, 'm'),
    );
  const buckets = Map.groupBy(
    series.filter(({ name }) => name.endsWith('_bucket')),
    ({ name, labels }) => JSON.stringify([name, { ...labels, le: '' }]),
  );
  expect(buckets.size).toBeGreaterThan(20);
  for (const group of buckets.values()) {
    const [last] = group.slice(-1);
    expect(group.map(({ value }) => value)).toEqual(
      group.map(({ value }) => value).toSorted((a, b) => a - b),
    );
    expect(last?.labels.le).toBe('+Inf');
    const { le: _, ...labels } = last?.labels ?? {};
    expect(sumOf(series, last?.name.replace('_bucket', '_count') ?? '', labels)).toBe(last?.value);
  }
});

test('a reply counts once, with its tokens, its cost and its time', async () => {
  const writer = await createPerson(server);
  const { body } = await send(writer, 'a word of mine [[tokens:60]][[tps:0]]');
  await waitForEnd(writer, body.generation.id);
  const model = 'openai/gpt-4o-mini';
  await eventually(async () => sumOf(await figures(), 'site_runs_total', { tool: 'title' }) === 1);
  const series = await figures();
  expect(sumOf(series, 'site_runs_total', { tool: 'chat', end: 'done' })).toBe(1);
  expect(sumOf(series, 'site_run_duration_seconds_count', { tool: 'chat' })).toBe(1);
  expect(sumOf(series, 'site_gateway_call_duration_seconds_count', { model, outcome: 'answered' })).toBe(2);
  expect(sumOf(series, 'site_gateway_first_text_seconds_count', { model })).toBe(1);
  expect(sumOf(series, 'site_gateway_tokens_total', { direction: 'completion' })).toBeGreaterThanOrEqual(60);
  expect(sumOf(series, 'site_gateway_cost_usd_total')).toBeGreaterThan(0);
});

test('a billing event that matches nobody counts as unmatched', async () => {
  const purchased = await purchase(server, await createPerson(server));
  const state = { at: Date.now(), payment: 'tran_1', metadata: {} };
  expect((await deliver(server, subscriptionEvent('paid', purchased, state))).status).toBe(200);
  const counted = await eventually(async () => {
    const all = (await figures()).filter(({ name }) => name === 'site_billing_events_total');
    return sumOf(all, 'site_billing_events_total') > 0 && all;
  });
  expect(sumOf(counted, 'site_billing_events_total', { outcome: 'unmatched' })).toBe(1);
});

test('no request adds a series or a name of a person', async () => {
  const guest = await createPerson(server);
  const { body } = await send(guest, 'a secret word');
  await waitForEnd(guest, body.generation.id);
  // Node's own metrics have labels for open resources, which vary.
  const ownSeries = async () => (await figures()).filter(({ name }) => /^(site|http)_/.test(name));
  const before = (await ownSeries()).length;
  for (const path of [
    '/nothing-here',
    '/api/nothing',
    '/chat/0198c0de',
    '/x.php',
    '/%2e%2e/%2e%2e/etc/passwd',
  ])
    for (const method of ['GET', 'DELETE', 'PURGE'])
      await fetch(`${server.url}${path}?email=${guest.email}`, { method, headers: { cookie: guest.cookie } });
  await send(guest, '[[mode:401]]');
  await fetch(`${server.url}/api/webhooks/creem`, { method: 'POST', body: '{}' });
  const all = await ownSeries();
  expect(all.length).toBe(before);
  const shown = JSON.stringify(all);
  const session = guest.cookie.split('=')[1] ?? '-';
  for (const word of [
    guest.email,
    guest.id,
    session,
    TOKEN,
    'nothing',
    'secret',
    'creem',
    server.databaseUrl,
  ])
    expect(shown).not.toContain(word);
});

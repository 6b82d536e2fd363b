import { Counter } from 'prom-client';
import { countOpenEvents } from '#features/billing/service.server.ts';
import { spentToday } from '#features/credits/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import { costlyRead, type Database, poolStates } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { type JobBacklog, jobBacklog } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { beforeScrape, defineGauge, type Sample } from '#platform/metrics/registry.server.ts';

/** Metrics from the database, which are the same in every process. */
interface SiteState {
  jobs: JobBacklog[];
  events: { waiting: number; failed: number };
  spentUsd: number;
  /** Seconds since the epoch; null without a backup. */
  lastBackup: number | null;
}

/** Cache time, because several collectors may query one process. */
const CACHE_MS = 5_000;
/** After failed reads, old values are shown this long: missing values would end an alert. */
const STALE_MS = 60_000;

let state: SiteState | null = null;
let readAt = Number.NEGATIVE_INFINITY;
let reading: Promise<void> | undefined;

async function lastBackup(db: Database): Promise<number | null> {
  const row = await db.row<{ value: string }>(
    sql`select value from instance_values where key = 'last-backup'`,
  );
  return row ? Date.parse((JSON.parse(row.value) as { madeAt: string }).madeAt) / 1000 : null;
}

async function read(): Promise<void> {
  try {
    state = await costlyRead(async (db) => ({
      jobs: await jobBacklog(db),
      events: await countOpenEvents(db),
      spentUsd: (await spentToday(db)) / 1e6,
      lastBackup: await lastBackup(db),
    }));
    readAt = performance.now();
  } catch (error) {
    log.warn({ error }, 'the site metrics could not be read');
    if (performance.now() - readAt > STALE_MS) state = null;
  }
}

async function refresh(): Promise<void> {
  const isOpen = poolStates().length > 0;
  if (!isOpen || performance.now() - readAt < CACHE_MS) return;
  reading ??= read().finally(() => {
    reading = undefined;
  });
  await reading;
}

const violations = new Counter({
  name: 'site_audit_violations_total',
  help: 'Invariants that the hourly audit found violated',
});

export function countViolation(): void {
  violations.inc();
}

const whenKnown = (samples: (state: SiteState) => Sample[]) => () => (state ? samples(state) : []);

export function startSiteMetrics(version: string): void {
  beforeScrape(refresh);
  defineGauge({
    name: 'site_build_info',
    help: '1, with the running version',
    labels: ['version'],
    read: () => [{ labels: { version }, value: 1 }],
  });
  defineGauge({
    name: 'site_jobs_due',
    help: 'Jobs ready to run, by queue; the same from every process',
    labels: ['queue'],
    read: whenKnown(({ jobs }) => jobs.map(({ queue, due }) => ({ labels: { queue }, value: due }))),
  });
  defineGauge({
    name: 'site_job_oldest_due_seconds',
    help: 'How long the oldest due job has waited, by queue; the same from every process',
    labels: ['queue'],
    read: whenKnown(({ jobs }) =>
      jobs.map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
    ),
  });
  defineGauge({
    name: 'site_billing_events_open',
    help: 'Billing events not applied; the same from every process',
    labels: ['state'],
    read: whenKnown(({ events }) =>
      Object.entries(events).map(([name, value]) => ({ labels: { state: name }, value })),
    ),
  });
  defineGauge({
    name: 'site_spend_today_usd',
    help: 'What models have cost since 00:00 UTC; the same from every process',
    read: whenKnown(({ spentUsd }) => [{ value: spentUsd }]),
  });
  defineGauge({
    name: 'site_spend_cap_usd',
    help: 'SPEND_CAP_DAY, if it is set',
    read: () => [config().SPEND_CAP_DAY].flatMap((value) => (value === undefined ? [] : { value })),
  });
  defineGauge({
    name: 'site_backup_enabled',
    help: '1 when BACKUP_DIR is set',
    read: () => [{ value: config().BACKUP_DIR ? 1 : 0 }],
  });
  defineGauge({
    name: 'site_last_backup_timestamp_seconds',
    help: 'When the last backup was made; the same from every process',
    read: whenKnown(({ lastBackup: at }) => (at === null ? [] : [{ value: at }])),
  });
}

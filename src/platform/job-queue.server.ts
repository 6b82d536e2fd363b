import { setTimeout as delay } from 'node:timers/promises';
import type { JobResult, JobWithMetadata, PgBoss, Queue } from 'pg-boss';
import { z } from 'zod';
import { m } from '#messages';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { type Database, databasePool } from './database/database.server.ts';
import { raw, sql } from './database/sql.server.ts';
import { Problem } from './http/problem.server.ts';
import { locale, withLocale } from './locale.server.ts';
import { log } from './log.server.ts';
import { countJob, startCountingJob } from './metrics/counters.server.ts';
import { traced, traceparent } from './tracing/tracing.server.ts';

/** The data must contain ids, never text from people, because it is stored unencrypted. */
export interface JobDefinition<T extends object = object> {
  name: string;
  /** Data that does not match fails the job without a retry. Default: no data. */
  schema?: z.ZodType<T>;
  /** Runs automatically, once across all processes, such as `7 * * * *` (UTC). */
  cron?: string;
  /** Retries after the first attempt, 2, 4, 8 ... s apart. Default 5. */
  retries?: number;
  /** Seconds after which an attempt counts as lost and is retried. Default 120. */
  seconds?: number;
  run(data: T): Promise<void>;
}

interface Registered {
  name: string;
  cron: string | undefined;
  retries: number;
  seconds: number;
  run(data: unknown): Promise<void>;
}

/** Jobs that failed for good end up here with their data, also after crashes and timeouts, so one place logs them. */
const DEAD = 'dead';
export const JOBS_SCHEMA = 'jobs';
/** How often to look for jobs that are due: retries, and jobs whose notification was lost. */
const DUE_CHECK_MS = 2_000;

const definitions = new Map<string, Registered>();
let boss: PgBoss | undefined;
let starting: Promise<void> | undefined;
let dueCheck: NodeJS.Timeout | undefined;
let stopping = false;

/** Call it before `startJobs`. @throws Error when the name is taken. */
export function defineJob<T extends object = object>(definition: JobDefinition<T>): void {
  const { name, cron, retries = 5, seconds = 120, run } = definition;
  if (definitions.has(name) || name === DEAD) throw new Error(`The job ${name} is defined twice.`);
  const schema = definition.schema;
  definitions.set(name, {
    name,
    cron,
    retries,
    seconds,
    run: (data) => run(schema ? schema.parse(data) : ({} as T)),
  });
  startCountingJob(name);
}

/** Includes the password, which the pool's options hide from enumeration. */
function connection(): {
  connectionString?: string;
  host?: string;
  port?: number;
  user?: string;
  database?: string;
  password?: string;
  ssl?: unknown;
  options?: string;
  Client?: unknown;
} {
  const { options } = databasePool();
  const { connectionString, host, port, user, database, ssl, Client } = options;
  const password = typeof options.password === 'string' ? options.password : undefined;
  return Object.fromEntries(
    Object.entries({
      connectionString,
      host,
      port,
      user,
      database,
      password,
      ssl,
      Client,
      options: options.options,
    }).filter(([, value]) => value !== undefined),
  );
}

/** Fields that `enqueue` adds to the data. */
const enqueueFields = z.object({ language: z.string().optional(), trace: z.string().optional() });

async function attempt(definition: Registered, job: JobWithMetadata<object>): Promise<JobResult> {
  const details = { job: definition.name, jobId: job.id, attempt: job.retryCount + 1 };
  try {
    const { language, trace } = enqueueFields.parse(job.data ?? {});
    const start = {
      kind: 'consumer',
      attributes: { 'site.job.attempt': details.attempt },
      parent: trace ?? null,
    } as const;
    await traced(`job ${definition.name}`, start, () =>
      withLocale(toLocale(language) ?? baseLanguage, () => definition.run(job.data)),
    );
    countJob(definition.name, 'completed');
    return { id: job.id, status: 'completed' };
  } catch (error) {
    log.warn({ ...details, error }, 'a job failed');
    countJob(definition.name, 'failed');
    const status = error instanceof z.ZodError ? 'deadletter' : 'failed';
    return { id: job.id, status, output: { message: error instanceof Error ? error.name : 'error' } };
  }
}

const settingsOf = ({ retries, seconds }: Registered) => ({
  notify: true,
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: seconds,
  deleteAfterSeconds: 24 * 3600,
  deadLetter: DEAD,
});

/** Creates missing queues and updates the settings of queues that another build created. */
async function openQueues(running: PgBoss): Promise<void> {
  const known = new Map((await running.getQueues()).map((queue) => [queue.name, queue]));
  const expected = new Map<string, Omit<Queue, 'name'>>([
    [DEAD, { notify: true, deleteAfterSeconds: 7 * 24 * 3600 }],
    ...Array.from(definitions.values(), (each) => [each.name, settingsOf(each)] as const),
  ]);
  for (const [name, settings] of expected) {
    const existing = known.get(name);
    if (!existing) await running.createQueue(name, settings);
    else if (Object.entries(settings).some(([key, value]) => existing[key as keyof Queue] !== value))
      await running.updateQueue(name, settings);
  }
}

/** Notifications and `wakeDueWorkers` wake the workers; their own polling is only for when both fail. */
const ALL_WORKERS = { batchSize: 10, includeMetadata: true, notifyPollingIntervalSeconds: 60 } as const;

/** @returns the id of the queue's worker. */
function workOn(running: PgBoss, definition: Registered): Promise<string> {
  // After a full batch the worker fetches the next at once; batches of one would wait for a poll after each job.
  const options = { ...ALL_WORKERS, burstWhenBatchFull: true, perJobResults: true } as const;
  return running.work<object, unknown, typeof options>(definition.name, options, (jobs) =>
    Promise.all(jobs.map((job) => attempt(definition, job))),
  );
}

const workOnDead = (running: PgBoss): Promise<string> =>
  running.work<object, unknown, typeof ALL_WORKERS>(DEAD, ALL_WORKERS, async (jobs) => {
    for (const job of jobs) {
      log.error({ job: job.sourceName, jobId: job.sourceId }, 'a job failed and will not be retried');
      if (job.sourceName && definitions.has(job.sourceName)) countJob(job.sourceName, 'given_up');
    }
  });

async function schedule(running: PgBoss): Promise<void> {
  const known = new Map((await running.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { name, cron } of definitions.values())
    if (cron && known.get(name) !== cron) await running.schedule(name, cron, null, { tz: 'UTC' });
  for (const name of known.keys()) if (!definitions.get(name)?.cron) await running.unschedule(name);
}

/** One statement for all queues; if each worker polled instead, an idle site would run ten statements per second. */
async function wakeDueWorkers(running: PgBoss, workers: Map<string, string>): Promise<void> {
  const { rows } = await running.getDb().executeSql(
    `select queue from unnest($1::text[]) as queue
      where exists (select from ${JOBS_SCHEMA}.job j where j.name = queue
                       and j.state < 'active' and not j.blocked and j.start_after <= now())`,
    [[...workers.keys()]],
  );
  for (const { queue } of rows as { queue: string }[]) running.notifyWorker(workers.get(queue) ?? '');
}

async function workOnAll(running: PgBoss): Promise<void> {
  const workers = new Map([[DEAD, await workOnDead(running)]]);
  for (const definition of definitions.values())
    workers.set(definition.name, await workOn(running, definition));
  await schedule(running);
  let checking = false;
  dueCheck = setInterval(() => {
    if (checking) return;
    checking = true;
    wakeDueWorkers(running, workers)
      .catch((error: unknown) => log.warn({ error }, 'the job queue reported an error'))
      .finally(() => {
        checking = false;
      });
  }, DUE_CHECK_MS);
}

async function start(runsJobs: boolean): Promise<void> {
  // The operator's commands define jobs but never run any, so pg-boss is loaded only here.
  const { PgBoss } = await import('pg-boss');
  const running = new PgBoss({
    ...connection(),
    schema: JOBS_SCHEMA,
    application_name: 'site-jobs',
    max: 2,
    useListenNotify: true,
    cronMonitorIntervalSeconds: 30,
    // pg-boss polls at this interval for jobs that depend on other jobs; the site has none.
    flowIntervalSeconds: 3600,
    supervise: runsJobs,
    schedule: runsJobs,
  });
  // Without a listener, an 'error' event would end the process.
  running.on('error', (error) => log.warn({ error }, 'the job queue reported an error'));
  running.on('warning', ({ message }) => log.warn({ detail: message }, 'the job queue reported a warning'));
  try {
    await running.start();
    await openQueues(running);
    if (runsJobs) await workOnAll(running);
  } catch (error) {
    await running.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  boss = running;
}

/**
 * Uses two connections and one that listens. Call it once the server accepts requests. With `runsJobs` false this
 * process only sends jobs, and other processes run them.
 */
export function startJobs(runsJobs = true): Promise<void> {
  starting ??= start(runsJobs).catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** Starts no more jobs, while `enqueue` works until `stopJobs`. Waits up to `timeoutMs` for jobs that are running. */
export async function stopWorkers(timeoutMs = 5_000): Promise<void> {
  stopping = true;
  await starting?.catch(() => undefined);
  clearInterval(dueCheck);
  const ended = [DEAD, ...definitions.keys()].map((name) => boss?.offWork(name));
  await Promise.race([Promise.all(ended), delay(timeoutMs, undefined, { ref: false })]);
}

/** Jobs that are still running after `timeoutMs` are retried later. */
export async function stopJobs(timeoutMs = 5_000): Promise<void> {
  stopping = true;
  await starting?.catch(() => undefined);
  clearInterval(dueCheck);
  await boss?.stop({ graceful: true, timeout: timeoutMs });
  boss = starting = undefined;
  stopping = false;
}

/** Also true where this process runs no jobs (JOBS=false), and while running jobs end. */
export const canEnqueue = (): boolean => boss !== undefined;

/** Long jobs check this and end early. */
export const jobsAreStopping = (): boolean => boss === undefined || stopping;

/**
 * Adds the current trace and language to the job, so that a mail is in the language of the page that caused it. With
 * `tx` the job exists exactly when that transaction commits.
 * @throws Problem unavailable until the jobs are started.
 */
export async function enqueue(name: string, data: object, { tx }: { tx?: Database } = {}): Promise<void> {
  await starting;
  if (!boss) {
    throw new Problem('unavailable', m.site_starting(), { retryAfter: 3 });
  }
  const db = tx && {
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: await tx.rows<object>({ text, values }),
    }),
  };
  const id = await boss.send(name, { ...data, language: locale(), trace: traceparent() }, db ? { db } : {});
  if (id === null) throw new Error(`The job ${name} was not taken.`);
}

export interface JobBacklog {
  queue: string;
  /** Jobs that could start now. */
  due: number;
  /** Seconds since the oldest of them could have started. */
  oldestSeconds: number;
}

/** Measures every defined queue by the clock of the database; empty until the jobs are started. */
export async function jobBacklog(db: Database): Promise<JobBacklog[]> {
  if (!boss) return [];
  const names = [...definitions.keys()];
  return db.rows<JobBacklog>(sql`
    select queue, count(start_after)::int as due,
           coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as "oldestSeconds"
      from unnest(${names}::text[]) as queue
      left join ${raw(JOBS_SCHEMA)}.job j on j.name = queue and j.state < 'active' and not j.blocked and j.start_after <= now()
     group by queue`);
}

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

/** Data holds ids, never words of people: it is stored as it is. */
export interface JobDefinition<T extends object = object> {
  name: string;
  /** Data that does not match is a failure that no retry mends. Default: no data. */
  schema?: z.ZodType<T>;
  /** Runs by itself, e.g. `7 * * * *` (UTC), once in all processes together. */
  cron?: string;
  /** Tries after the first, 2, 4, 8 ... s apart. Default 5. */
  retries?: number;
  /** Seconds until a run counts as lost and is tried again. Default 120. */
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

/** Failed jobs end here with their data, so that one place logs them, crashes and expiries included. */
const DEAD = 'dead';
export const JOBS_SCHEMA = 'jobs';
/** Between two looks for jobs whose time has come: a second try, or one whose notification was lost. */
const DUE_CHECK_MS = 2_000;

const definitions = new Map<string, Registered>();
let boss: PgBoss | undefined;
let starting: Promise<void> | undefined;
let dueCheck: NodeJS.Timeout | undefined;
let stopping = false;

/** Call it before `startJobs`. @throws when the name is taken. */
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

/** With the password, which the pool hides from enumeration. */
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

/** What `enqueue` adds to the data. */
const ofEnqueue = z.object({ language: z.string().optional(), trace: z.string().optional() });

async function attempt(definition: Registered, job: JobWithMetadata<object>): Promise<JobResult> {
  const about = { job: definition.name, jobId: job.id, attempt: job.retryCount + 1 };
  try {
    const { language, trace } = ofEnqueue.parse(job.data ?? {});
    const start = {
      kind: 'consumer',
      attributes: { 'site.job.attempt': about.attempt },
      parent: trace ?? null,
    } as const;
    await traced(`job ${definition.name}`, start, () =>
      withLocale(toLocale(language) ?? baseLanguage, () => definition.run(job.data)),
    );
    countJob(definition.name, 'completed');
    return { id: job.id, status: 'completed' };
  } catch (error) {
    log.warn({ ...about, error }, 'a job failed');
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

/** Makes the queues that are not there yet, and gives those of another build the settings of this one. */
async function openQueues(running: PgBoss): Promise<void> {
  const known = new Map((await running.getQueues()).map((queue) => [queue.name, queue]));
  const wanted = new Map<string, Omit<Queue, 'name'>>([
    [DEAD, { notify: true, deleteAfterSeconds: 7 * 24 * 3600 }],
    ...Array.from(definitions.values(), (each) => [each.name, settingsOf(each)] as const),
  ]);
  for (const [name, settings] of wanted) {
    const there = known.get(name);
    if (!there) await running.createQueue(name, settings);
    else if (Object.entries(settings).some(([key, value]) => there[key as keyof Queue] !== value))
      await running.updateQueue(name, settings);
  }
}

/** A worker is woken by the notification of a job and by `wakeDueWorkers`; its own look is for when both fail. */
const ALL_WORKERS = { batchSize: 10, includeMetadata: true, notifyPollingIntervalSeconds: 60 } as const;

/** @returns the id of its worker. */
function workOn(running: PgBoss, definition: Registered): Promise<string> {
  // Full batches are fetched on without a pause; a batch of one would wait out the poll after each job.
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

/** One statement for all queues, where each worker that looks for itself would be ten a second of an idle site. */
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
  let looking = false;
  dueCheck = setInterval(() => {
    if (looking) return;
    looking = true;
    wakeDueWorkers(running, workers)
      .catch((error: unknown) => log.warn({ error }, 'the job queue reported an error'))
      .finally(() => {
        looking = false;
      });
  }, DUE_CHECK_MS);
}

async function start(works: boolean): Promise<void> {
  // The operator's commands define jobs and run none.
  const { PgBoss } = await import('pg-boss');
  const running = new PgBoss({
    ...connection(),
    schema: JOBS_SCHEMA,
    application_name: 'site-jobs',
    max: 2,
    useListenNotify: true,
    cronMonitorIntervalSeconds: 30,
    // Its look for jobs that wait for other jobs, of which there are none.
    flowIntervalSeconds: 3600,
    supervise: works,
    schedule: works,
  });
  // An event without a listener would end the process.
  running.on('error', (error) => log.warn({ error }, 'the job queue reported an error'));
  running.on('warning', ({ message }) => log.warn({ detail: message }, 'the job queue reported a warning'));
  try {
    await running.start();
    await openQueues(running);
    if (works) await workOnAll(running);
  } catch (error) {
    await running.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  boss = running;
}

/**
 * Takes two connections and one that listens. Call it once the server listens. Without `works` jobs are sent from here,
 * and other processes take them.
 */
export function startJobs(works = true): Promise<void> {
  starting ??= start(works).catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

/** No job begins here any more, while `enqueue` goes on until `stopJobs`. Waits for those at work, `timeoutMs` at most. */
export async function stopWorkers(timeoutMs = 5_000): Promise<void> {
  stopping = true;
  await starting?.catch(() => undefined);
  clearInterval(dueCheck);
  const ended = [DEAD, ...definitions.keys()].map((name) => boss?.offWork(name));
  await Promise.race([Promise.all(ended), delay(timeoutMs, undefined, { ref: false })]);
}

/** What is still at work after `timeoutMs` is tried again later. */
export async function stopJobs(timeoutMs = 5_000): Promise<void> {
  stopping = true;
  await starting?.catch(() => undefined);
  clearInterval(dueCheck);
  await boss?.stop({ graceful: true, timeout: timeoutMs });
  boss = starting = undefined;
  stopping = false;
}

/** Also where this process takes none (JOBS=false), and while running jobs end. */
export const canEnqueue = (): boolean => boss !== undefined;

/** Asked by long jobs, which end themselves. */
export const jobsAreStopping = (): boolean => boss === undefined || stopping;

/**
 * Keeps the language of the work at hand, for a mail is in that of the page that asked for it, and its trace. With `tx` the job exists
 * exactly when that transaction commits.
 * @throws Problem unavailable while the jobs are not started.
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
  /** Jobs that could begin now. */
  due: number;
  /** Seconds for which the first of them could have begun. */
  oldestSeconds: number;
}

/** Of every queue that is defined, by the clock of the database; nothing until the jobs are started. */
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

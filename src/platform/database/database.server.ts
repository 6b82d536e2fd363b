import pg from 'pg';
import { tracedQuery } from '../tracing/tracing.server.ts';
import { inUtc, withSetting } from './session-options.server.ts';
import type { Statement } from './sql.server.ts';

export interface Database {
  rows<Row>(statement: Statement): Promise<Row[]>;
  row<Row>(statement: Statement): Promise<Row | null>;
  run(statement: Statement): Promise<number>;
}

pg.types.setTypeParser(pg.types.builtins.INT8, (value) => Number(value));

/** Statement texts are few and fixed, so each connection prepares each text once, under a short name. */
const names = new Map<string, string>();
function nameOf(text: string): string {
  const existing = names.get(text);
  if (existing) return existing;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}

class PgDatabase implements Database {
  readonly #client: pg.Pool | pg.PoolClient;
  constructor(client: pg.Pool | pg.PoolClient) {
    this.#client = client;
  }
  #query(statement: Statement) {
    return this.#client.query({
      name: nameOf(statement.text),
      text: statement.text,
      values: statement.values,
    });
  }
  async rows<Row>(statement: Statement): Promise<Row[]> {
    return (await this.#query(statement)).rows as Row[];
  }
  async row<Row>(statement: Statement): Promise<Row | null> {
    return ((await this.#query(statement)).rows[0] as Row | undefined) ?? null;
  }
  async run(statement: Statement): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0;
  }
}

/** An 'error' event without a listener is an uncaught exception, and the pool listens only to idle connections. */
class ErrorTolerantClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

export const isTerminatedByDatabase = (error: unknown): boolean =>
  /^57P0[123]$/.test((error as { code?: string } | null)?.code ?? '');

/** Few, because one costly read can keep a database core busy until it times out. */
const COSTLY_CONNECTIONS = 2;
const COSTLY_MS = 2_000;

/** PostgreSQL ends a lock session that is idle for this long, because its process must be hanging. */
const IDLE_LOCKS_MS = 5 * 60_000;

/** Enough to keep a database with a few cores busy; more connections would only wait for each other. */
const CONNECTIONS = 8;

let pool: pg.Pool | undefined;
let asyncCommitPool: pg.Pool | undefined;
let reservedPool: pg.Pool | undefined;
let costlyPool: pg.Pool | undefined;
let locks: pg.Pool | undefined;
let main: Database | undefined;
let asyncCommit: Database | undefined;
let reserved: Database | undefined;

/**
 * Opens all pools. The quick one commits without waiting for the disk: it is for progress logs and heartbeats, where a
 * power cut loses a moment of text and never money.
 */
export function openDatabase(connection: pg.PoolConfig, onIdleError: (error: Error) => void): void {
  // A connection that a firewall dropped silently must fail, so that whatever waits for it is retried.
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, query_timeout: 60_000 };
  const shared: pg.PoolConfig = {
    ...inUtc(connection),
    ...alive,
    Client: ErrorTolerantClient,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 0,
  };
  pool = new pg.Pool({ ...shared, max: CONNECTIONS, application_name: 'site' });
  asyncCommitPool = new pg.Pool({
    ...withSetting(shared, 'synchronous_commit=off'),
    max: 4,
    application_name: 'site-quick',
  });
  reservedPool = new pg.Pool({
    ...withSetting(shared, 'synchronous_commit=off'),
    max: 1,
    application_name: 'site-reserved',
  });
  costlyPool = new pg.Pool({
    ...shared,
    max: COSTLY_CONNECTIONS,
    application_name: 'site-costly',
    statement_timeout: COSTLY_MS,
  });
  locks = new pg.Pool({
    ...withSetting(shared, `idle_session_timeout=${IDLE_LOCKS_MS}`),
    max: 1,
    idleTimeoutMillis: 10_000,
    application_name: 'site-locks',
  });
  for (const each of [pool, asyncCommitPool, reservedPool, costlyPool, locks]) each.on('error', onIdleError);
  main = new PgDatabase(pool);
  asyncCommit = new PgDatabase(asyncCommitPool);
  reserved = new PgDatabase(reservedPool);
}

/** Connects in advance: SCRAM hashes thousands of times on both sides, which would delay a first burst of requests. */
export async function warmDatabase(): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, () => requireOpen(pool).connect());
  for (const client of await Promise.allSettled(connections))
    if (client.status === 'fulfilled') client.value.release();
}

export async function closeDatabase(): Promise<void> {
  await Promise.all([pool, asyncCommitPool, reservedPool, costlyPool, locks].map((each) => each?.end()));
  pool = asyncCommitPool = reservedPool = costlyPool = locks = undefined;
}

function requireOpen<T>(value: T | undefined): T {
  if (!value) throw new Error('The database is used before it is opened.');
  return value;
}

export const database = (): Database => requireOpen(main);
export const asyncCommitDatabase = (): Database => requireOpen(asyncCommit);
/** A single connection for statements that readers wait for, one at a time; no other work can queue ahead of them. */
export const reservedDatabase = (): Database => requireOpen(reserved);
export const databasePool = (): pg.Pool => requireOpen(pool);
export const lockPool = (): pg.Pool => requireOpen(locks);

export interface PoolState {
  pool: string;
  total: number;
  idle: number;
  waiting: number;
  max: number;
}

/** Empty before the database is opened. */
export const poolStates = (): PoolState[] =>
  Object.entries({
    main: pool,
    quick: asyncCommitPool,
    reserved: reservedPool,
    costly: costlyPool,
    locks,
  }).flatMap(([name, each]) =>
    each
      ? {
          pool: name,
          total: each.totalCount,
          idle: each.idleCount,
          waiting: each.waitingCount,
          max: each.options.max,
        }
      : [],
  );

/** The traced time includes the wait for a connection. */
const runTraced = <T>(clients: pg.Pool, work: (tx: Database) => Promise<T>): Promise<T> =>
  tracedQuery('transaction', () => runTransaction(clients, work));

async function runTransaction<T>(clients: pg.Pool, work: (tx: Database) => Promise<T>): Promise<T> {
  const client = await clients.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(new PgDatabase(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

export const transaction = <T>(work: (tx: Database) => Promise<T>): Promise<T> =>
  runTraced(requireOpen(pool), work);

/** `timedOut`: the read ran out of time; otherwise all connections for costly reads were in use. */
export class CostlyReadError extends Error {
  readonly timedOut: boolean;
  constructor(timedOut: boolean, cause: unknown) {
    super('A costly read was given up.', { cause });
    this.name = 'CostlyReadError';
    this.timedOut = timedOut;
  }
}

/** Whether the error is that of a cancelled statement (its SQLSTATE). */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: string }).code === '57014';

/** Runs reads whose cost depends on a person's input on separate connections, so pages and runs never wait for them. */
export async function costlyRead<T>(work: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await runTraced(requireOpen(costlyPool), work);
  } catch (error) {
    const { message } = error as { message?: string };
    const timedOut = isStatementTimeout(error);
    if (timedOut || message === 'timeout exceeded when trying to connect')
      throw new CostlyReadError(timedOut, error);
    throw error;
  }
}

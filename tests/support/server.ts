import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';
import { serverFlags } from '../../scripts/lib/server-flags.mjs';
import { makeDatabase } from './postgres.ts';

const BUILT = resolve(import.meta.dirname, '../../build/server');
/** How long a start may take: a server that finds no database yet waits for it. */
const START_MS = 120_000;
/** The operator whose session changes the settings of a test's server (`changeSetting`). */
export const SETTINGS_OPERATOR = 'settings@example.com';

/** All servers of a test run use the same secret, so that the tests can create sessions. */
export const AUTH_SECRET = 'tests-only-0123456789abcdefghijklmnopq';

export interface TestServer {
  url: string;
  /** Base URL of the stand-ins, which serve `/gateway/v1`, `/mail/messages`, `/log` and `/control`. */
  standins: string;
  database: pg.Pool;
  /** Empty when the server runs its embedded database. */
  databaseUrl: string;
  dataDir: string;
  process: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'kill'>;
  /** File that contains all output of the process. */
  logFile: string;
  /** Returns all output of the process so far. */
  output(): string;
  /** Sends SIGTERM and resolves with the exit code. */
  end(): Promise<number | null>;
  /** Sends SIGKILL and resolves when the process has exited. */
  kill(): Promise<void>;
  /** Ends the process if it is still running, and removes what the start created. */
  stop(): Promise<void>;
}

/** What another process needs to reach a running server. */
export interface StartedServer
  extends Pick<TestServer, 'url' | 'standins' | 'databaseUrl' | 'dataDir' | 'logFile'> {
  pid: number;
}

export interface ServerOptions {
  /** Address of the shared PostgreSQL: `inject('postgres')`. */
  postgres: string;
  env?: Record<string, string>;
  /** Database of another server, to start a second process on it. */
  databaseUrl?: string;
  /** Default time zone of the database that is created. */
  timeZone?: string;
  /** Stand-ins of another server; without it, the server starts its own. */
  standins?: string;
  smtp?: string;
  dataDir?: string;
  /** Folder of the built entries; this project's build by default. */
  build?: string;
  /** Sets no DATABASE_URL, so that the server starts its own PostgreSQL in its DATA_DIR. */
  embedded?: boolean;
}

async function poolOf(databaseUrl: string, dataDir: string): Promise<pg.Pool> {
  let settings: pg.PoolConfig = { connectionString: databaseUrl };
  if (databaseUrl === '') {
    const attached = await startEmbeddedDatabase({ dataDir, log: () => undefined });
    await attached.stopIfUnused();
    settings = attached.connection;
  }
  const pool = new pg.Pool({ ...settings, max: 4 });
  pool.on('error', () => undefined);
  return pool;
}

/** Points both sign-in providers at another server's stand-ins. */
function providersAt(standins: string): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: 'stand-in',
    GOOGLE_CLIENT_SECRET: 'stand-in',
    GOOGLE_ISSUER: `${standins}/google`,
    GOOGLE_AUTHORIZE_URL: `${standins}/google/authorize`,
    GOOGLE_TOKEN_URL: `${standins}/google/token`,
    GOOGLE_JWKS_URL: `${standins}/google/jwks`,
    GITHUB_CLIENT_ID: 'stand-in',
    GITHUB_CLIENT_SECRET: 'stand-in',
    GITHUB_AUTHORIZE_URL: `${standins}/github/login/oauth/authorize`,
    GITHUB_TOKEN_URL: `${standins}/github/login/oauth/access_token`,
    GITHUB_API_URL: `${standins}/github/api`,
  };
}

/** Returns the path of a built entry (`main`, `audit`) and an environment without this machine's variables. */
function entryOf(
  name: string,
  { databaseUrl, dataDir }: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
  env: Record<string, string> = {},
  built = BUILT,
) {
  const path = join(built, `${name}.js`);
  if (!existsSync(path)) throw new Error('The server is not built; npm test builds it.');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const base = { PATH, NODE_COMPILE_CACHE, NODE_ENV: 'production', PORT: '0', AUTH_SECRET };
  return { path, env: { ...base, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env } };
}

/** Waits for a process to exit, and returns its exit code and output. */
export async function waitForExit(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  await once(child, 'close');
  return { code: child.exitCode, output };
}

/** Runs a built entry until it exits, with the database and data folder of a server. */
export async function runEntry(
  name: string,
  server: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
  args: string[] = [],
  env: Record<string, string> = {},
  build?: string,
): Promise<{ code: number | null; output: string }> {
  const entry = entryOf(name, server, env, build);
  const child = spawn(process.execPath, [entry.path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: entry.env,
  });
  return waitForExit(child);
}

/** The servers that this process has started. */
const started = new Set<TestServer>();

/** Returns the running servers of this test file that use the same database as `server`. */
export const runningOn = (server: TestServer): TestServer[] => {
  // Compares database names, because one of the servers may connect through a proxy.
  const nameOf = ({ databaseUrl }: TestServer) => URL.parse(databaseUrl)?.pathname;
  const others = [...started].filter(
    (each) => each.process.exitCode === null && nameOf(each) === nameOf(server),
  );
  return others.includes(server) ? others : [server, ...others];
};

/** Starts the built server as the operator would: on a free port, with a new database and new stand-ins. */
export async function startTestServer(options: ServerOptions): Promise<TestServer> {
  const databaseUrl = options.embedded
    ? ''
    : (options.databaseUrl ?? (await makeDatabase(options.postgres, options.timeZone)));
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'site-data-'));
  if (!options.dataDir) chmodSync(dataDir, 0o755);
  const gateway = options.standins && {
    LLM_BASE_URL: `${options.standins}/gateway/v1`,
    LLM_API_KEY: 'test',
    IMAGE_PROTOCOL: 'openrouter',
    CREEM_API_KEY: 'creem_test_tests',
    CREEM_BASE_URL: `${options.standins}/creem`,
    SMTP_URL: options.smtp ?? 'smtp://127.0.0.1:1',
    PUSH_SERVICES: options.standins,
    ...providersAt(options.standins),
  };
  const entry = entryOf(
    'main',
    { databaseUrl, dataDir },
    {
      ...(process.env.TEST_STANDINS && { STANDINS_STARTER: process.env.TEST_STANDINS }),
      ...{ STANDINS_MARKERS: 'true', LOG_LEVEL: 'info', DRAIN_SECONDS: '5', ADMIN_EMAILS: SETTINGS_OPERATOR },
      ...gateway,
      ...options.env,
    },
    options.build,
  );
  const logFile = join(tmpdir(), `site-${randomUUID()}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [...serverFlags, entry.path], {
    stdio: ['ignore', log, log],
    env: entry.env,
  });
  closeSync(log);
  const output = () => readFileSync(logFile, 'utf8');
  const exited = once(child, 'exit');
  const mailbox = () => /Mailbox: (http\S+)\/mail/.exec(output())?.[1];
  const url = await eventually(async () => {
    if (child.exitCode !== null) return '-';
    return (mailbox() || options.standins) && /The site is running at (http\S+)/.exec(output())?.[1];
  }, START_MS);
  if (url === '-') throw new Error(`The server ended before it was ready:\n${output()}`);
  const database = await poolOf(databaseUrl, dataDir);
  const running = () => child.exitCode === null && child.signalCode === null;
  const server: TestServer = {
    url,
    standins: options.standins ?? mailbox() ?? '',
    database,
    databaseUrl,
    dataDir,
    process: child,
    logFile,
    output,
    async end() {
      if (running()) child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async kill() {
      if (running()) child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      await server.end();
      await database.end();
      rmSync(logFile, { force: true });
      started.delete(server);
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  started.add(server);
  return server;
}

/** Starts a second process of a server's site, with the same database, files and stand-ins. */
export const startSecondProcess = (
  { databaseUrl, dataDir, standins }: TestServer,
  env: Record<string, string> = {},
): Promise<TestServer> => startTestServer({ postgres: '', databaseUrl, dataDir, standins, env });

/** How long a test waits for something that must happen: a safety net, not an assertion. */
const WAIT_MS = 60_000;

/** Calls `check` until it resolves with something truthy; throws its last error after `ms` milliseconds. */
export async function eventually<T>(
  check: () => Promise<T | null | undefined | false>,
  ms = WAIT_MS,
): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    let failure: unknown;
    try {
      const found = await check();
      if (found) return found;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > until) throw failure ?? new Error('What was waited for did not happen.');
    await new Promise((done) => setImmediate(() => setTimeout(done, 20)));
  }
}

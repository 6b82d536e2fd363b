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
/** A start that finds no database yet waits for it, as a test lets it. */
const START_MS = 120_000;
/** Who may change the settings of a test's server (`changeSetting`). */
export const SETTINGS_OPERATOR = 'settings@example.com';

/** Shared by the servers of a run, so that the tests can make sessions. */
export const AUTH_SECRET = 'tests-only-0123456789abcdefghijklmnopq';

export interface TestServer {
  url: string;
  /** Base of the stand-ins: `/gateway/v1`, `/mail/messages`, `/log`, `/control`. */
  standins: string;
  database: pg.Pool;
  /** Empty for a server with its embedded database. */
  databaseUrl: string;
  dataDir: string;
  process: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'kill'>;
  /** File with everything that the process wrote. */
  logFile: string;
  /** Everything the process wrote. */
  output(): string;
  /** SIGTERM, and the exit code. */
  end(): Promise<number | null>;
  /** SIGKILL, and its end. */
  kill(): Promise<void>;
  /** Ends it if it runs, and removes what it made. */
  stop(): Promise<void>;
}

/** Where a running server is, for another process. */
export interface StartedServer
  extends Pick<TestServer, 'url' | 'standins' | 'databaseUrl' | 'dataDir' | 'logFile'> {
  pid: number;
}

export interface ServerOptions {
  /** Address of the shared PostgreSQL: `inject('postgres')`. */
  postgres: string;
  env?: Record<string, string>;
  /** A database of another server, for a second process on it. */
  databaseUrl?: string;
  /** Default TimeZone of the database that is made. */
  timeZone?: string;
  /** Stand-ins of another server, instead of its own. */
  standins?: string;
  smtp?: string;
  dataDir?: string;
  /** Folder of the built entries; default: those of this project. */
  build?: string;
  /** No DATABASE_URL: the server starts its own PostgreSQL in its DATA_DIR. */
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

/** Both providers of sign-in at the stand-ins of another server. */
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

/** A built entry (`main`, `audit`) with nothing of this machine's own environment. */
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

/** What a process has written by its end. */
export async function endOf(
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

/** Runs a built entry to its end, with the database and the folder of a server. */
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
  return endOf(child);
}

/** The servers of this process. */
const started = new Set<TestServer>();

/** The running servers of this test file that share a server's database. */
export const runningOn = (server: TestServer): TestServer[] => {
  // By its name: one of them may reach it through a proxy.
  const nameOf = ({ databaseUrl }: TestServer) => URL.parse(databaseUrl)?.pathname;
  const others = [...started].filter(
    (each) => each.process.exitCode === null && nameOf(each) === nameOf(server),
  );
  return others.includes(server) ? others : [server, ...others];
};

/** Starts the built server as the operator would, on free ports, with a database and stand-ins of its own. */
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

/** A second process of a server's site: the same database, files and stand-ins. */
export const startBeside = (
  { databaseUrl, dataDir, standins }: TestServer,
  env: Record<string, string> = {},
): Promise<TestServer> => startTestServer({ postgres: '', databaseUrl, dataDir, standins, env });

/** How long a test waits for what must happen: a safety net, not an assertion. */
const WAIT_MS = 60_000;

/** Waits until `look` answers something truthy; fails with the last error after `ms`. */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false>,
  ms = WAIT_MS,
): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    let failure: unknown;
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > until) throw failure ?? new Error('What was waited for did not happen.');
    await new Promise((done) => setImmediate(() => setTimeout(done, 20)));
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startEmbeddedDatabase } from '../../src/platform/database/embedded.server.ts';

const BUILT = resolve(import.meta.dirname, '../../build/server');
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
  process: ChildProcess;
  /** Everything the process wrote. */
  output(): string;
  /** SIGTERM, and the exit code. */
  end(): Promise<number | null>;
  /** SIGKILL, and its end. */
  kill(): Promise<void>;
  /** Ends it if it runs, and removes what it made. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Address of the shared PostgreSQL: `inject('postgres')`. */
  postgres: string;
  env?: Record<string, string>;
  /** A database of another server, for a second process on it. */
  databaseUrl?: string;
  /** Stand-ins of another server, instead of its own. */
  /** Default TimeZone of the database that is made. */
  timeZone?: string;
  standins?: string;
  smtp?: string;
  dataDir?: string;
  /** Folder of the built entries; default: those of this project. */
  build?: string;
  /** No DATABASE_URL: the server starts its own PostgreSQL in its DATA_DIR. */
  embedded?: boolean;
}

/** Makes an empty database in the PostgreSQL of the run. @returns its address. */
export async function makeDatabase(postgres: string, timeZone?: string): Promise<string> {
  const name = `t_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  await client.query(`create database ${name}`);
  if (timeZone) await client.query(`alter database ${name} set timezone to '${timeZone}'`);
  await client.end();
  return withDatabase(postgres, name);
}

function withDatabase(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`);
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

/** Starts a built entry (`main`, `audit`) with nothing of this machine's own environment. */
function spawnEntry(
  name: string,
  { databaseUrl, dataDir }: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
  env: Record<string, string> = {},
  args: string[] = [],
  built = BUILT,
) {
  const entry = join(built, `${name}.js`);
  if (!existsSync(entry)) throw new Error('The server is not built; npm test builds it.');
  const base = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', AUTH_SECRET };
  return spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...base, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env },
  });
}

/** Runs a built entry to its end, with the database and the folder of a server. */
export async function runEntry(
  name: string,
  server: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawnEntry(name, server, env, args);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  await once(child, 'close');
  return { code: child.exitCode, output };
}

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
    ...providersAt(options.standins),
  };
  const child = spawnEntry(
    'main',
    { databaseUrl, dataDir },
    { STANDINS_MARKERS: 'true', LOG_LEVEL: 'info', DRAIN_SECONDS: '5', ...gateway, ...options.env },
    [],
    options.build,
  );
  let output = '';
  const exited = once(child, 'exit');
  const ready = new Promise<string>((done, fail) => {
    const hear = (bytes: Buffer) => {
      output += bytes.toString();
      const url = /The site runs at (http\S+)/.exec(output)?.[1];
      const mailbox = /Mailbox: (http\S+)\/mail/.exec(output)?.[1];
      if (url && (mailbox || options.standins)) done(url);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    exited.then(() => fail(new Error(`The server ended before it was ready:\n${output}`)));
  });
  const url = await ready;
  const database = await poolOf(databaseUrl, dataDir);
  const running = () => child.exitCode === null && child.signalCode === null;
  const server: TestServer = {
    url,
    standins: options.standins ?? /Mailbox: (http\S+)\/mail/.exec(output)?.[1] ?? '',
    database,
    databaseUrl,
    dataDir,
    process: child,
    output: () => output,
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
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}

/** Waits until `look` answers something truthy; fails with the last error after `ms`. */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false>,
  ms = 10_000,
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

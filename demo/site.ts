import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { variables } from '#platform/config/environment-schema.server.ts';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';

/** A first start creates the database, which takes some seconds. */
const START_MS = 60_000;

const MAIN = resolve(import.meta.dirname, '../build/server/main.js');

/** A reason to stop, worded for whoever ran the command. */
export class DemoError extends Error {}

/** A site in its sandbox, used over HTTP. */
export interface DemoSite {
  url: string;
  /** Base URL of its stand-ins. */
  standins: string;
  /** Ends the site if this command started it. */
  close(): Promise<void>;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns the sandbox that runs on this DATA_DIR (its process writes `server.json`), or null. @throws DemoError */
export async function runningSite(dataDir: string): Promise<DemoSite | null> {
  let told: { url: string; standins?: string };
  try {
    told = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as typeof told;
  } catch {
    return null;
  }
  if (!(await answers(told.url))) return null;
  if (!told.standins)
    throw new DemoError(`The site at ${told.url} runs without stand-ins. You can only seed a sandbox.`);
  return { url: told.url, standins: told.standins, close: async () => undefined };
}

/**
 * Returns the environment for a sandbox without the site's own variables, such as keys and databases, except those that
 * `told` matches.
 */
function sandboxEnvironment(dataDir: string, told?: RegExp): NodeJS.ProcessEnv {
  const own = new Set<string>(variables().map(({ name }) => name));
  const others = Object.entries(process.env).filter(([name]) => !own.has(name) || told?.test(name));
  return {
    ...Object.fromEntries(others),
    NODE_ENV: 'production',
    SANDBOX: 'true',
    PORT: '0',
    DATA_DIR: dataDir,
  };
}

/**
 * Starts the built site as a sandbox on a DATA_DIR, and resolves when it serves. It only uses stand-ins, except for
 * services set by variables that `told` matches. @throws DemoError
 */
export async function startSite(dataDir: string, told?: RegExp): Promise<DemoSite> {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: sandboxEnvironment(dataDir, told),
  });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  let output = '';
  const greeted = new Promise<DemoSite>((done, fail) => {
    const hear = (bytes: Buffer) => {
      output += bytes.toString();
      const url = /The site is running at (http\S+)/.exec(output)?.[1];
      const standins = /Mailbox: (http\S+)\/mail/.exec(output)?.[1];
      if (url && standins) done({ url, standins, close });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    exited.then(() => fail(new DemoError(`The site did not start:\n${output}`)));
    const late = () => fail(new DemoError(`The site did not start within a minute:\n${output}`));
    setTimeout(late, START_MS).unref();
  });
  try {
    return await greeted;
  } catch (error) {
    await close();
    throw error;
  }
}

/** The site's database, for facts that no page shows. */
export interface DemoDatabase {
  /** Number of accounts whose address is not in a domain. */
  strangers(domain: string): Promise<number>;
  /** Number of accounts whose address is in it. */
  known(domain: string): Promise<number>;
  /** The site's clock, which the stand-ins can move. */
  now(): Promise<Date>;
  close(): Promise<void>;
}

/** Opens the database of DATABASE_URL, or else of a DATA_DIR. A new one has no accounts. */
export async function openDatabase(dataDir: string): Promise<DemoDatabase> {
  const url = process.env.DATABASE_URL;
  const embedded = url ? null : await startEmbeddedDatabase({ dataDir, log: () => undefined });
  const client = new pg.Client(embedded ? embedded.connection : { connectionString: url });
  await client.connect();
  const count = async (condition: string, domain: string) => {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('users') is not null as there`,
    );
    if (!rows[0]?.there) return 0;
    const counted = await client.query<{ count: number }>(
      `select count(*)::int as count from users where ${condition}`,
      [`%@${domain}`],
    );
    return counted.rows[0]?.count ?? 0;
  };
  return {
    strangers: (domain) => count("coalesce(email, '') not like $1", domain),
    known: (domain) => count('email like $1', domain),
    now: async () =>
      (await client.query<{ now: Date }>('select app_now() as now')).rows[0]?.now ?? new Date(),
    async close() {
      await client.end();
      await embedded?.stopIfUnused();
    },
  };
}

/** Moves the clock of the site and the stand-ins to a time, and waits until the site has followed. */
export async function moveTo(site: DemoSite, database: DemoDatabase, time: Date): Promise<void> {
  await control(site, { clock: { offsetMs: time.getTime() - Date.now() } });
  await waitFor('the clock of the site', async () => {
    const off = (await database.now()).getTime() - time.getTime();
    return off > -1000 && off < 30_000;
  });
}

/** Sets switches of the stand-ins. */
export async function control({ standins }: DemoSite, switches: object): Promise<void> {
  const response = await fetch(`${standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switches),
  });
  if (!response.ok) throw new Error(`The stand-ins rejected a change: ${await response.text()}`);
}

/** Calls `look` every 50 ms until it returns something. @throws after `ms`, with `what` in the message. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null | false>,
  ms = 30_000,
): Promise<T> {
  const until = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > until) throw new Error(`Timed out after ${ms / 1000} s waiting for ${what}.`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

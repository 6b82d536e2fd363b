import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#platform/config/config.server.ts';
import { migrationsFolder } from '#platform/config/project-root.server.ts';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';
import { EmbeddedDatabaseError } from '#platform/database/embedded/embedded-error.server.ts';
import { migrationState } from '#platform/database/migrate.server.ts';
import { inUtc } from '#platform/database/session-options.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { loadSettings } from '#platform/settings/live-settings.server.ts';
import { describeFeatureSettings } from '../startup/feature-settings.server.ts';
import { processes } from './check-processes.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Database';
const OLDEST_VERSION = 150_000;
const CONNECT_MS = 5_000;
const NOTICE_MS = 2_000;

const refusals: Record<string, string> = {
  ENOTFOUND: 'DATABASE_URL names a host that cannot be found: correct the name.',
  EAI_AGAIN: 'The name in DATABASE_URL cannot be looked up now: see to the name service of this machine.',
  ECONNREFUSED:
    'Nothing listens where DATABASE_URL points: start PostgreSQL there, or correct host and port.',
  ETIMEDOUT: 'Where DATABASE_URL points nobody answers in time: open the firewall, or correct the host.',
  '28P01': 'PostgreSQL refuses the password in DATABASE_URL: correct it.',
  '28000':
    'PostgreSQL does not let this user in from here: allow it in pg_hba.conf, or correct DATABASE_URL.',
  '3D000': 'The database that DATABASE_URL names does not exist: create it, or correct the name.',
  '53300': 'PostgreSQL has no connection left: raise max_connections, or end what holds them.',
};

function refusalOf(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (refusals[code]) return refusals[code];
  if (/timeout/i.test(message)) return refusals.ETIMEDOUT ?? '';
  if (/SSL/i.test(message))
    return 'PostgreSQL and DATABASE_URL do not agree on TLS: add or remove ?sslmode=require.';
  return `DATABASE_URL gives no session${code && ` (${code})`}: try it with psql.`;
}

/** A session through a pooler that shares connections hears none, and loses locks. */
async function hearsNotices(client: pg.Client): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), NOTICE_MS).unref();
  });
  await client.query('listen doctor');
  await client.query('notify doctor');
  return heard;
}

async function version(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: string; name: string; creates: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name,
            has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create') as creates`,
  );
  const [row] = rows;
  if (Number(row?.number) < OLDEST_VERSION)
    return wrong(ABOUT, `PostgreSQL ${row?.name} is too old: 15 or later is needed.`);
  if (!row?.creates)
    return wrong(ABOUT, 'This user may not create tables and schemas: grant it CREATE on the database.');
  return ok(ABOUT, `PostgreSQL ${row.name} answers.`);
}

async function schema(client: pg.Client): Promise<Finding> {
  try {
    const { applied, waiting } = await migrationState(client, migrationsFolder);
    if (waiting.length === 0) return ok('Schema', `All ${applied} migrations are applied.`);
    return ok('Schema', `${applied} migrations are applied, ${waiting.length} at the next start.`);
  } catch (error) {
    return wrong('Schema', (error as Error).message);
  }
}

/** A clock that a sandbox has moved may not serve a public site. */
async function movedClock(client: pg.Client, { sandbox }: Config): Promise<Finding[]> {
  const there = await client.query<{ there: boolean }>(
    `select to_regclass('app_clock') is not null as there`,
  );
  if (!there.rows[0]?.there) return [];
  const { rows } = await client.query<{ offset_ms: string }>('select offset_ms from app_clock');
  if (sandbox || Number(rows[0]?.offset_ms) === 0) return [];
  return [
    wrong(ABOUT, 'The clock of this database was moved in a sandbox: begin a public site with a new one.'),
  ];
}

/** Seconds that the database's clock is ahead of ours, half the way there taken off. */
async function skewOf(client: pg.Client): Promise<number> {
  const asked = Date.now();
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return ((rows[0]?.ms ?? asked) - (asked + Date.now()) / 2) / 1000;
}

const OVERDUE_HOURS = 48;

async function lastBackup(client: pg.Client, { BACKUP_DIR }: Config): Promise<Finding> {
  if (!BACKUP_DIR)
    return notSet(
      'Backup',
      'Without BACKUP_DIR none is made by itself. npm run backup -- --to FOLDER makes one while the site runs; bring it back once with npm run restore before you need it.',
    );
  const { rows } = await client
    .query<{ value: string }>(`select value from instance_values where key = 'last-backup'`)
    .catch(() => ({ rows: [] }));
  if (!rows[0])
    return note('Backup', 'There is none yet; the site makes one each day, npm run backup at once.');
  const { address, madeAt } = JSON.parse(rows[0].value) as { address: string; madeAt: string };
  const hours = Math.round((Date.now() - Date.parse(madeAt)) / 3_600_000);
  return hours > OVERDUE_HOURS
    ? wrong(
        'Backup',
        `The last one is ${Math.round(hours / 24)} days old (${address}): run npm run backup to see what stops it.`,
      )
    : ok(
        'Backup',
        `The last one is ${hours} hours old: ${address}. npm run restore -- --verify tells whether it is whole.`,
      );
}

/** From here on what is looked at is looked at with the stored settings. */
async function settings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('setting_changes') is not null as there`,
  );
  if (!rows[0]?.there) return [];
  const reader = {
    rows: async <Row>({ text, values }: Statement) => (await client.query(text, values)).rows as Row[],
  };
  describeFeatureSettings();
  const problems = await loadSettings(reader);
  return problems.map(({ name, problem }) =>
    wrong(
      'Settings',
      `${name} ${problem}, so its last valid value stands in its place: npm run settings -- set ${name}, or unset it.`,
    ),
  );
}

interface DatabaseCheck {
  findings: Finding[];
  skew: number | null;
}

async function inspect(connection: pg.ClientConfig, config: Config): Promise<DatabaseCheck> {
  const client = new pg.Client({
    ...inUtc(connection),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return { findings: [wrong(ABOUT, refusalOf(error))], skew: null };
  }
  try {
    const findings = [await version(client)];
    if (!(await hearsNotices(client)))
      findings.push(
        wrong(ABOUT, 'DATABASE_URL leads through a pooler that drops notices: name PostgreSQL itself.'),
      );
    findings.push(
      await schema(client),
      ...(await movedClock(client, config)),
      ...(await processes(client, config)),
      await lastBackup(client, config),
      ...(await settings(client)),
    );
    return { findings, skew: await skewOf(client) };
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    return { findings: [wrong(ABOUT, `It does not answer as it should (${code}).`)], skew: null };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Data that there is not yet is not made. */
async function embedded(config: Config): Promise<DatabaseCheck> {
  if (!['postgres', 'postgres.location'].some((name) => existsSync(join(config.dataDir, name))))
    return {
      findings: [ok(ABOUT, 'The embedded PostgreSQL makes its files at the first start.')],
      skew: null,
    };
  try {
    const server = await startEmbeddedDatabase({ dataDir: config.dataDir, log: () => undefined });
    try {
      return await inspect(server.connection, config);
    } finally {
      await server.stopIfUnused();
    }
  } catch (error) {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    return { findings: [wrong(ABOUT, error.message)], skew: null };
  }
}

export function databaseFindings(config: Config): Promise<DatabaseCheck> {
  return config.DATABASE_URL ? inspect({ connectionString: config.DATABASE_URL }, config) : embedded(config);
}

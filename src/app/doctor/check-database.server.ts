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
import { checkProcesses } from './check-processes.server.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Database';
const MIN_VERSION = 150_000;
const CONNECT_MS = 5_000;
const NOTIFICATION_MS = 2_000;

const connectErrors: Record<string, string> = {
  ENOTFOUND: 'The host in DATABASE_URL was not found. Check the host name.',
  EAI_AGAIN: "The host in DATABASE_URL can't be looked up right now. Check DNS on this machine.",
  ECONNREFUSED: 'Nothing is listening at DATABASE_URL. Start PostgreSQL there, or fix the host and port.',
  ETIMEDOUT: 'DATABASE_URL did not respond in time. Open the firewall, or fix the host.',
  '28P01': 'PostgreSQL rejected the password in DATABASE_URL. Fix the password.',
  '28000':
    'PostgreSQL does not allow this user to connect from here. Allow it in pg_hba.conf, or fix DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL does not exist. Create it, or fix the name.',
  '53300': 'PostgreSQL has no connections left. Raise max_connections, or close some of the open ones.',
};

function describeConnectError(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (connectErrors[code]) return connectErrors[code];
  if (/timeout/i.test(message)) return connectErrors.ETIMEDOUT ?? '';
  if (/SSL/i.test(message))
    return 'PostgreSQL and DATABASE_URL disagree about TLS. Add or remove ?sslmode=require.';
  return `Can't connect to DATABASE_URL${code && ` (${code})`}. Try it with psql.`;
}

/** Detects a pooler that shares connections: sessions then receive no notifications and lose advisory locks. */
async function receivesNotifications(client: pg.Client): Promise<boolean> {
  const received = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), NOTIFICATION_MS).unref();
  });
  await client.query('listen doctor');
  await client.query('notify doctor');
  return received;
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: string; name: string; creates: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name,
            has_schema_privilege(current_schema(), 'create') and has_database_privilege(current_database(), 'create') as creates`,
  );
  const [row] = rows;
  if (Number(row?.number) < MIN_VERSION)
    return wrong(ABOUT, `PostgreSQL ${row?.name} is too old. Version 15 or later is required.`);
  if (!row?.creates)
    return wrong(ABOUT, "This user can't create tables and schemas. Grant it CREATE on the database.");
  return ok(ABOUT, `Connected to PostgreSQL ${row.name}.`);
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  try {
    const { applied, waiting } = await migrationState(client, migrationsFolder);
    if (waiting.length === 0) return ok('Schema', `All ${applied} migrations are applied.`);
    return ok('Schema', `${applied} migrations are applied, ${waiting.length} will run at the next start.`);
  } catch (error) {
    return wrong('Schema', (error as Error).message);
  }
}

/** A public site must not use a database whose clock a sandbox has moved. */
async function checkClockOffset(client: pg.Client, { sandbox }: Config): Promise<Finding[]> {
  const result = await client.query<{ present: boolean }>(
    `select to_regclass('app_clock') is not null as present`,
  );
  if (!result.rows[0]?.present) return [];
  const { rows } = await client.query<{ offset_ms: string }>('select offset_ms from app_clock');
  if (sandbox || Number(rows[0]?.offset_ms) === 0) return [];
  return [
    wrong(ABOUT, 'The clock of this database was moved in a sandbox. Use a new database for a public site.'),
  ];
}

/** Returns the seconds by which the database's clock is ahead of ours, corrected by half the round trip. */
async function measureSkew(client: pg.Client): Promise<number> {
  const startedAt = Date.now();
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return ((rows[0]?.ms ?? startedAt) - (startedAt + Date.now()) / 2) / 1000;
}

const OVERDUE_HOURS = 48;

async function checkLastBackup(client: pg.Client, { BACKUP_DIR }: Config): Promise<Finding> {
  if (!BACKUP_DIR)
    return notSet(
      'Backup',
      'There are no automatic backups because BACKUP_DIR is not set. npm run backup -- --to FOLDER makes one while the site runs. Try npm run restore once before you need it.',
    );
  const { rows } = await client
    .query<{ value: string }>(`select value from instance_values where key = 'last-backup'`)
    .catch(() => ({ rows: [] }));
  if (!rows[0])
    return note(
      'Backup',
      'There is no backup yet. The site makes one every day; npm run backup makes one now.',
    );
  const { address, madeAt } = JSON.parse(rows[0].value) as { address: string; madeAt: string };
  const hours = Math.round((Date.now() - Date.parse(madeAt)) / 3_600_000);
  return hours > OVERDUE_HOURS
    ? wrong(
        'Backup',
        `The last backup is ${Math.round(hours / 24)} days old (${address}). Run npm run backup to see what fails.`,
      )
    : ok(
        'Backup',
        `The last backup is ${hours} hours old: ${address}. npm run restore -- --verify checks that it is complete.`,
      );
}

/** Loads the stored settings, which all later checks use, and reports invalid ones. */
async function checkSettings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('setting_changes') is not null as present`,
  );
  if (!rows[0]?.present) return [];
  const reader = {
    rows: async <Row>({ text, values }: Statement) => (await client.query(text, values)).rows as Row[],
  };
  describeFeatureSettings();
  const problems = await loadSettings(reader);
  return problems.map(({ name, problem }) =>
    wrong(
      'Settings',
      `${name} ${problem}, so its last valid value is used. Set it again with npm run settings -- set ${name}, or unset it.`,
    ),
  );
}

interface DatabaseCheck {
  findings: Finding[];
  skew: number | null;
}

async function checkConnection(connection: pg.ClientConfig, config: Config): Promise<DatabaseCheck> {
  const client = new pg.Client({
    ...inUtc(connection),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return { findings: [wrong(ABOUT, describeConnectError(error))], skew: null };
  }
  try {
    const findings = [await checkVersion(client)];
    if (!(await receivesNotifications(client)))
      findings.push(
        wrong(
          ABOUT,
          'DATABASE_URL goes through a pooler that drops notifications. Connect to PostgreSQL directly.',
        ),
      );
    findings.push(
      await checkSchema(client),
      ...(await checkClockOffset(client, config)),
      ...(await checkProcesses(client, config)),
      await checkLastBackup(client, config),
      ...(await checkSettings(client)),
    );
    return { findings, skew: await measureSkew(client) };
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    return { findings: [wrong(ABOUT, `PostgreSQL did not respond as expected (${code}).`)], skew: null };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Does not create a database if there is none yet. */
async function checkEmbedded(config: Config): Promise<DatabaseCheck> {
  if (!['postgres', 'postgres.location'].some((name) => existsSync(join(config.dataDir, name))))
    return {
      findings: [ok(ABOUT, 'The embedded PostgreSQL creates its files at the first start.')],
      skew: null,
    };
  try {
    const server = await startEmbeddedDatabase({ dataDir: config.dataDir, log: () => undefined });
    try {
      return await checkConnection(server.connection, config);
    } finally {
      await server.stopIfUnused();
    }
  } catch (error) {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    return { findings: [wrong(ABOUT, error.message)], skew: null };
  }
}

export function checkDatabase(config: Config): Promise<DatabaseCheck> {
  return config.DATABASE_URL
    ? checkConnection({ connectionString: config.DATABASE_URL }, config)
    : checkEmbedded(config);
}

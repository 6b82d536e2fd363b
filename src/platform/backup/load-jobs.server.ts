import type pg from 'pg';
import { getConstructionPlans } from 'pg-boss';
import { JOBS_SCHEMA } from '../job-queue.server.ts';
import type { BackupHeader } from './archive-format.server.ts';
import { quoted } from './snapshot.server.ts';

/** Creates the job queue's tables, as this build's version has them, if they do not exist. */
export async function createJobSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('${JOBS_SCHEMA}.job') is not null as exists`,
  );
  if (!rows[0]?.exists) await client.query(getConstructionPlans(JOBS_SCHEMA));
}

/**
 * Loads queues and open jobs into the job queue. They arrive as text, and only columns that both versions of the queue
 * have are loaded, because the tables belong to the queue's package and change with it.
 */
export class JobLoader {
  readonly #client: pg.Client;
  readonly #tables: NonNullable<BackupHeader['jobs']>;

  private constructor(client: pg.Client, tables: NonNullable<BackupHeader['jobs']>) {
    this.#client = client;
    this.#tables = tables;
  }

  static async begin(client: pg.Client, tables: NonNullable<BackupHeader['jobs']>): Promise<JobLoader> {
    for (const [name, { columns }] of Object.entries(tables))
      await client.query(
        `create temp table ${quoted([`loaded_${name}`])} (${columns.map((column) => `${quoted([column])} text`).join(', ')}) on commit drop`,
      );
    return new JobLoader(client, tables);
  }

  copyTarget(table: string): string | null {
    return this.#tables[table] ? quoted([`loaded_${table}`]) : null;
  }

  async finish(): Promise<void> {
    // Queues first, because jobs refer to them.
    for (const table of ['queue', 'job']) if (this.#tables[table]) await this.#insert(table);
  }

  async #insert(table: string): Promise<void> {
    const { rows } = await this.#client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [`${JOBS_SCHEMA}.${table}`],
    );
    const loaded = new Set(this.#tables[table]?.columns);
    const common = rows.filter(({ name }) => loaded.has(name));
    const values = common.map(({ name, type }) => `${quoted([name])}::${type}`).join(', ');
    await this.#client.query(
      `insert into ${JOBS_SCHEMA}.${table} (${quoted(common.map(({ name }) => name))})
       select ${values} from ${quoted([`loaded_${table}`])} on conflict do nothing`,
    );
  }
}

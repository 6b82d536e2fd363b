import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export const SETTINGS_CHANNEL = 'settings';

/** Only `rows`, so that a bare connection is enough. */
export type SettingsReader = Pick<Database, 'rows'>;

export interface StoredSetting {
  name: string;
  /** Null means the default. */
  value: unknown;
  change: number;
  actor: string;
  at: Date;
}

export function storedSettings(db: SettingsReader): Promise<StoredSetting[]> {
  return db.rows<StoredSetting>(
    sql`select distinct on (name) name, after as value, change, actor, created_at as at
          from setting_changes order by name, change desc`,
  );
}

/** Returns earlier values, newest first; null was the default. */
export async function earlierValues(db: SettingsReader, name: string): Promise<unknown[]> {
  const rows = await db.rows<{ value: unknown }>(
    sql`select after as value from setting_changes where name = ${name} order by change desc offset 1 limit 50`,
  );
  return rows.map(({ value }) => value);
}

export async function newestChange(db: SettingsReader): Promise<number> {
  const [row] = await db.rows<{ change: number }>(
    sql`select coalesce(max(change), 0)::int as change from setting_changes`,
  );
  return row?.change ?? 0;
}

/** Allows one change at a time, until the end of the transaction. */
export async function lockSettings(tx: Database): Promise<void> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended('settings', 10))`);
}

/** The smallest and largest values that whole-number settings have ever had. */
export async function storedExtremes(
  db: SettingsReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, { lowest: number; highest: number }>> {
  const rows = await db.rows<{ name: string; lowest: number; highest: number }>(
    sql`select name, min((after #>> '{}')::int) as lowest, max((after #>> '{}')::int) as highest
          from setting_changes where name = any(${names}) and after::text ~ '^[0-9]{1,9}$' group by name`,
  );
  return new Map(rows.map(({ name, ...extremes }) => [name, extremes]));
}

export interface ChangedValue {
  name: string;
  before: unknown;
  after: unknown;
}

const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

export async function insertChange(
  tx: Database,
  { actor, undoes, values }: { actor: string; undoes: number | null; values: readonly ChangedValue[] },
): Promise<number> {
  const change = (await newestChange(tx)) + 1;
  for (const { name, before, after } of values)
    await tx.run(
      sql`insert into setting_changes (change, name, before, after, actor, undoes)
          values (${change}, ${name}, ${asJson(before)}, ${asJson(after)}, ${actor}, ${undoes})`,
    );
  await tx.run(sql`select pg_notify(${SETTINGS_CHANNEL}, ${String(change)})`);
  return change;
}

export interface SettingChange {
  change: number;
  at: Date;
  actor: string;
  undoes: number | null;
  values: ChangedValue[];
}

export function changes(
  db: SettingsReader,
  { name, limit, only }: { name?: string | undefined; only?: number | undefined; limit: number },
): Promise<SettingChange[]> {
  return db.rows<SettingChange>(
    sql`select change, min(created_at) as at, min(actor) as actor, min(undoes) as undoes,
               json_agg(json_build_object('name', name, 'before', before, 'after', after) order by name) as values
          from setting_changes
         where change in (select distinct change from setting_changes
                           where (${name ?? null}::text is null or name = ${name ?? null})
                             and (${only ?? null}::int is null or change = ${only ?? null})
                           order by change desc limit ${limit})
         group by change order by change desc`,
  );
}

/** The newest change that is not an undo and was not undone; null if there is none. */
export async function lastUndoable(db: SettingsReader): Promise<number | null> {
  const [row] = await db.rows<{ change: number | null }>(
    sql`select max(change) as change from setting_changes c
         where undoes is null and not exists (select 1 from setting_changes u where u.undoes = c.change)`,
  );
  return row?.change ?? null;
}

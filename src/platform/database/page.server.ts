import { validate as isUuid } from 'uuid';
import { raw, type Statement, sql } from './sql.server.ts';

export interface TimeCursor {
  at: string;
  id: string;
}

export function parseTimeCursor(text: string | undefined): TimeCursor | null {
  const [at, id] = text?.split('_') ?? [];
  // Date.parse accepts more formats than PostgreSQL.
  const parsed = at && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) ? new Date(at) : null;
  // JavaScript turns February 30 into a day in March; PostgreSQL rejects it.
  const time = parsed && !Number.isNaN(+parsed) && parsed.toISOString().slice(0, 10) === at?.slice(0, 10);
  return time && id && isUuid(id) ? { at, id } : null;
}

export const timeCursor = ({ updated_at, id }: { updated_at: Date; id: string }): string =>
  `${updated_at.toISOString()}_${id}`;

export const olderThan = (table: string, before: TimeCursor | null): Statement =>
  before
    ? sql`(${raw(`${table}.updated_at, ${table}.id`)}) < (${before.at}::timestamptz, ${before.id}::uuid)`
    : sql`true`;

/** Makes a page of `rows`, which were read with a limit of `size + 1`. */
export function pageOf<Row, Cursor>(
  rows: Row[],
  size: number,
  cursorOf: (last: Row) => Cursor,
): { rows: Row[]; next: Cursor | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > size && last !== undefined ? cursorOf(last) : null };
}

export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export async function* everyRow<Row>(
  size: number,
  read: (last: Row | null, size: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last, size);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < size) return;
  }
}

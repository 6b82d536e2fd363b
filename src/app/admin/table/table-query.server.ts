import type { Database } from '#platform/database/database.server.ts';
import { everyRow, likePattern } from '#platform/database/page.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { AdminTable, Column, TableRow } from './admin-table.ts';

export const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 500;

/** What the query of the URL asks for, without unknown parts. */
export interface TableView {
  text: string;
  filters: Record<string, string>;
  sort: { key: string; descending: boolean };
  after: { value: string; id: string } | null;
}

function decodeCursor(text: string | null): TableView['after'] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString());
    const [value, id] = Array.isArray(parsed) ? parsed : [];
    return typeof value === 'string' && typeof id === 'string' ? { value, id } : null;
  } catch {
    return null;
  }
}

export const encodeCursor = ({ value, id }: NonNullable<TableView['after']>): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

const sortable = <Row>({ columns }: AdminTable<Row>) =>
  columns.filter((column): column is Column<Row> & { sort: string } => column.sort !== undefined);

/** Returns the search text without NUL, which PostgreSQL text cannot contain. */
export const searchText = (query: URLSearchParams): string =>
  (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200);

export function readView<Row>(table: AdminTable<Row>, query: URLSearchParams): TableView {
  const requested = query.get('sort') ?? table.order;
  const isSortable = sortable(table).some(({ key }) => key === requested.replace(/^-/, ''));
  const order = isSortable ? requested : table.order;
  const filters = Object.fromEntries(
    (table.filters ?? []).flatMap(({ name, options, initial }) => {
      const value = query.get(name) ?? initial ?? '';
      // An empty value means "all" and is only kept if the filter has another initial value.
      const isKnown = options.some(([option]) => option === value) || (value === '' && initial !== undefined);
      return isKnown ? [[name, value]] : [];
    }),
  );
  return {
    text: searchText(query),
    filters,
    sort: { key: order.replace(/^-/, ''), descending: order.startsWith('-') },
    after: decodeCursor(query.get('after')),
  };
}

const allOf = (conditions: Statement[]): Statement =>
  conditions.reduce((all, each) => sql`${all} and ${each}`, sql`true`);

function conditionsOf<Row>(table: AdminTable<Row>, { text, filters }: TableView): Statement {
  const filterConditions = (table.filters ?? []).flatMap(({ name, where }) => {
    const value = filters[name];
    return value ? [where(value)] : [];
  });
  const searchConditions = table.search && text ? [table.search.where(text, likePattern(text))] : [];
  return allOf([...filterConditions, ...searchConditions]);
}

/** Cursor values that PostgreSQL can parse, by column type; any other cursor leads to the first page. */
const cursorPatterns: Record<string, RegExp> = {
  timestamptz: /^(-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00)$/,
  numeric: /^-?\d{1,20}(\.\d{1,10})?$/,
  text: /^/,
};
const idPatterns = { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, bigint: /^\d{1,18}$/, text: /^/ };

async function rowsAfter<Row>(
  db: Database,
  table: AdminTable<Row>,
  view: TableView,
  size: number,
): Promise<TableRow<Row>[]> {
  const { key, descending } = view.sort;
  const column = sortable(table).find((each) => each.key === key);
  if (!column) throw new Error(`The table ${table.name} is not sorted by ${key}.`);
  const { type = 'text' } = column;
  const sortColumn = raw(`t.${column.sort}`);
  const id = raw(`t.${table.id.column}`);
  const [comparison, direction] = descending ? [raw('<'), raw('desc')] : [raw('>'), raw('asc')];
  const { after } = view;
  const isValidCursor =
    after && cursorPatterns[type]?.test(after.value) && idPatterns[table.id.type].test(after.id);
  const cursorCondition = isValidCursor
    ? sql`(${sortColumn}, ${id}) ${comparison} (${after.value}::${raw(type)}, ${after.id}::${raw(table.id.type)})`
    : sql`true`;
  const rows = typeof table.rows === 'function' ? await table.rows(db, view.filters) : table.rows;
  return db.rows(sql`
    select t.*, t.${raw(column.sort)}::text as sort_value, ${id}::text as sort_id from (${rows}) t
     where ${conditionsOf(table, view)} and ${cursorCondition} order by ${sortColumn} ${direction}, ${id} ${direction} limit ${size}::int`);
}

export async function readPage<Row>(
  db: Database,
  table: AdminTable<Row>,
  view: TableView,
): Promise<{ rows: TableRow<Row>[]; next: string | null }> {
  const rows = await rowsAfter(db, table, view, PAGE_SIZE + 1);
  const last = rows[PAGE_SIZE - 1];
  const hasMore = rows.length > PAGE_SIZE && last;
  return {
    rows: rows.slice(0, PAGE_SIZE),
    next: hasMore ? encodeCursor({ value: last.sort_value, id: last.sort_id }) : null,
  };
}

/** Yields all rows in the order and with the filters of the view. */
export function everyMatchingRow<Row>(
  db: Database,
  table: AdminTable<Row>,
  view: TableView,
): AsyncGenerator<TableRow<Row>> {
  return everyRow<TableRow<Row>>(EXPORT_PAGE_SIZE, (last, size) => {
    const after = last && { value: last.sort_value, id: last.sort_id };
    return rowsAfter(db, table, { ...view, after }, size);
  });
}

export function viewQuery(view: TableView, change: Partial<TableView> = {}): string {
  const { text, filters, sort, after } = { ...view, ...change };
  const query = new URLSearchParams(filters);
  if (text) query.set('q', text);
  query.set('sort', `${sort.descending ? '-' : ''}${sort.key}`);
  if (after) query.set('after', encodeCursor(after));
  return `?${query}`;
}

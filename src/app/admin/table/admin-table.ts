import type { ReactNode } from 'react';
import type { Database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';

export type TableRow<Row> = Row & { sort_value: string; sort_id: string };

export interface Column<Row> {
  key: string;
  label: string;
  /** The column of `rows` to sort by, which must never be null. */
  sort?: string;
  /** SQL type of the `sort` column. */
  type?: 'timestamptz' | 'numeric' | 'text';
  /** A number, aligned to the end. */
  figure?: boolean;
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  cell: (row: Row) => ReactNode;
  csv: (row: Row) => string | number | null;
}

interface Filter {
  name: string;
  label: string;
  /** Used if the URL has no value. */
  initial?: string;
  options: readonly (readonly [value: string, label: string])[];
  where: (value: string) => Statement;
}

/** A list with sorting, filters, keyset paging and export. In SQL conditions, its rows have the alias `t`. */
export interface AdminTable<Row> {
  name: string;
  path: string;
  rows: Statement | ((db: Database, filters: Record<string, string>) => Promise<Statement>);
  id: { column: string; type: 'uuid' | 'bigint' | 'text' };
  columns: readonly Column<Row>[];
  /** Default sort column (its `key`), with a leading hyphen for descending order. */
  order: string;
  filters?: readonly Filter[];
  search?: { hint: string; where: (text: string, pattern: string) => Statement };
  empty: string;
}

import type { ReactNode } from 'react';
import type { Database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';

export type TableRow<Row> = Row & { sort_value: string; sort_id: string };

export interface Column<Row> {
  key: string;
  label: string;
  /** The column of `rows` that it is sorted by, which is never null. */
  sort?: string;
  /** Of `sort`. */
  type?: 'timestamptz' | 'numeric' | 'text';
  /** Figures stand at the end. */
  figure?: boolean;
  /** Left out where the screen is narrow. */
  wide?: boolean;
  cell: (row: Row) => ReactNode;
  csv: (row: Row) => string | number | null;
}

interface Filter {
  name: string;
  label: string;
  /** Where the address names none. */
  initial?: string;
  options: readonly (readonly [value: string, label: string])[];
  where: (value: string) => Statement;
}

/** A list that sorts, filters, pages by keys and is exported. Conditions name its rows `t`. */
export interface AdminTable<Row> {
  name: string;
  path: string;
  rows: Statement | ((db: Database, filters: Record<string, string>) => Promise<Statement>);
  id: { column: string; type: 'uuid' | 'bigint' | 'text' };
  columns: readonly Column<Row>[];
  /** A key; downwards with a hyphen before it. */
  order: string;
  filters?: readonly Filter[];
  search?: { hint: string; where: (text: string, pattern: string) => Statement };
  empty: string;
}

import { PersonLink, Time, toIso } from '../cells.tsx';
import type { Column } from './admin-table.ts';

type ColumnOptions<Row> = Partial<Omit<Column<Row>, 'key' | 'label'>>;

/** A column whose shown and exported values are the same. */
export const plainColumn = <Row,>(
  key: string,
  label: string,
  csv: Column<Row>['csv'],
  options: ColumnOptions<Row> = {},
): Column<Row> => ({ key, label, cell: csv, csv, ...options });

export const figureColumn = <Row,>(
  key: string,
  label: string,
  sort: string,
  csv: Column<Row>['csv'],
  options: ColumnOptions<Row> = {},
): Column<Row> => plainColumn(key, label, csv, { sort, type: 'numeric', figure: true, ...options });

/** `sort` is also the property of the row with the time. */
export const timeColumn = <Sort extends string>(
  key: string,
  label: string,
  sort: Sort,
  options: ColumnOptions<Record<Sort, Date>> = {},
): Column<Record<Sort, Date>> => ({
  key,
  label,
  sort,
  type: 'timestamptz',
  cell: (row) => <Time at={row[sort]} />,
  csv: (row) => toIso(row[sort]),
  ...options,
});

export const personColumn: Column<{ user_id: string | null; email: string | null }> = {
  key: 'person',
  label: 'Person',
  cell: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
  csv: ({ email }) => email,
};

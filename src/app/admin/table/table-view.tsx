import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { PressField } from '../action-form.tsx';
import type { AdminTable, Column, TableRow } from './admin-table.ts';
import { type TableView, viewQuery } from './table-query.server.ts';

interface TableProps<Row> {
  table: AdminTable<Row>;
  view: TableView;
  rows: TableRow<Row>[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
}

function Controls<Row>({ table, view }: Pick<TableProps<Row>, 'table' | 'view'>) {
  const { search, filters = [], path } = table;
  if (!search && filters.length === 0) return null;
  const { key, descending } = view.sort;
  return (
    <form method="get" action={path} className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="sort" value={`${descending ? '-' : ''}${key}`} />
      {search ? (
        <label className="field min-w-0 grow basis-64">
          <span className="label">Search</span>
          <input
            className="input"
            type="search"
            name="q"
            defaultValue={view.text}
            placeholder={search.hint}
            maxLength={200}
          />
        </label>
      ) : null}
      {filters.map(({ name, label, options }) => (
        <label key={name} className="field">
          <span className="label">{label}</span>
          <select className="select" name={name} defaultValue={view.filters[name] ?? ''}>
            <option value="">All</option>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Button type="submit" size="lg">
        {search ? 'Find' : 'Show'}
      </Button>
    </form>
  );
}

function Heading<Row>({
  table,
  view,
  column,
}: Pick<TableProps<Row>, 'table' | 'view'> & { column: Column<Row> }) {
  const { key, label, sort, figure, wideOnly } = column;
  const sorted = view.sort.key === key;
  const descending = sorted ? !view.sort.descending : (figure ?? column.type === 'timestamptz');
  return (
    <th
      scope="col"
      className={
        [figure && 'figure normal-nums', wideOnly && 'max-md:hidden'].filter(Boolean).join(' ') || undefined
      }
      aria-sort={sorted ? (view.sort.descending ? 'descending' : 'ascending') : undefined}
    >
      {sort ? (
        <a className="link" href={table.path + viewQuery(view, { sort: { key, descending }, after: null })}>
          {label}
          {sorted ? <span aria-hidden="true">{view.sort.descending ? ' ↓' : ' ↑'}</span> : null}
        </a>
      ) : (
        label
      )}
    </th>
  );
}

export function DataTable<Row>({ table, view, rows, next }: TableProps<Row>): ReactNode {
  const { columns, name, path, empty } = table;
  const query = viewQuery(view, { after: null });
  return (
    <section className="grid gap-4" aria-label={name}>
      <Controls table={table} view={view} />
      {rows.length === 0 ? (
        <p className="muted">{view.after ? 'No more results.' : empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label={`Rows of ${name}`} tabIndex={0}>
          <table className="figures">
            <caption className="visually-hidden">{name}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <Heading key={column.key} table={table} view={view} column={column} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.sort_id}>
                  {columns.map(({ key, figure, wideOnly, cell }) => (
                    <td
                      key={key}
                      className={[
                        figure ? 'figure normal-nums' : 'min-w-28 max-w-64 wrap-break-word md:max-w-96',
                        wideOnly && 'max-md:hidden',
                      ]
                        .filter(Boolean)
                        .join(' ')}
                    >
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <div className="row">
        {view.after ? <Button href={path + query}>First page</Button> : null}
        {next ? <Button href={`${path}${query}&after=${next}`}>Next page</Button> : null}
        {rows.length > 0 ? (
          <form method="post" action={`${path}.csv${query}`} className="ms-auto">
            <PressField />
            <Button type="submit" variant="ghost">
              Export CSV
            </Button>
          </form>
        ) : null}
      </div>
    </section>
  );
}

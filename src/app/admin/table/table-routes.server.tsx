import { Readable } from 'node:stream';
import type { ReactNode } from 'react';
import { CostlyReadError, costlyRead, database } from '#platform/database/database.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { recordAction } from '#platform/operator-actions.server.ts';
import { csvLine } from '#shared/csv.ts';
import { readAction } from '../actions.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import { AdminRefusal, type AdminRequest, type AdminRoute } from '../admin-request.server.ts';
import type { SectionPath } from '../sections.ts';
import type { AdminTable } from './admin-table.ts';
import { everyMatchingRow, readPage, readView, type TableView } from './table-query.server.ts';
import { DataTable } from './table-view.tsx';

export async function renderTable<Row>(table: AdminTable<Row>, query: URLSearchParams): Promise<ReactNode> {
  const view = readView(table, query);
  const page = await costlyRead((tx) => readPage(tx, table, view)).catch((error: unknown) => {
    if (error instanceof CostlyReadError)
      throw new AdminRefusal(
        'This takes too long to look up. Narrow it with the search or the filters.',
        503,
      );
    throw error;
  });
  return <DataTable table={table} view={view} {...page} />;
}

async function* csvLines<Row>(table: AdminTable<Row>, view: TableView): AsyncGenerator<string> {
  yield csvLine(table.columns.map(({ label }) => label));
  for await (const row of everyMatchingRow(database(), table, view))
    yield csvLine(table.columns.map(({ csv }) => csv(row)));
}

export function exportRoute<Row>(table: AdminTable<Row>): AdminRoute {
  return {
    method: 'POST',
    path: `${table.path}.csv`,
    async handle(request) {
      const { action } = await readAction(request, {});
      const view = readView(table, request.query);
      // Without the search text: it may name a person, and the log is permanent.
      const details = { table: table.name, filters: view.filters, searched: view.text !== '' };
      // A repeated press is recorded once but downloads the file again.
      await recordAction(database(), { ...action, action: 'export', details });
      const stream = Readable.toWeb(
        Readable.from(csvLines(table, { ...view, after: null })),
      ) as ReadableStream;
      const fileName = `${table.name.toLowerCase().replaceAll(' ', '-')}.csv`;
      return request.c.body(stream, 200, downloadHeaders(fileName, 'text/csv; charset=utf-8'));
    },
  };
}

interface TablePage<Row> {
  table: AdminTable<Row>;
  title: string;
  here: SectionPath;
  intro?: (request: AdminRequest) => Promise<ReactNode> | ReactNode;
}

/** Returns the routes of a list page and its export. */
export function tableRoutes<Row>({ table, title, here, intro }: TablePage<Row>): AdminRoute[] {
  return [
    {
      method: 'GET',
      path: table.path,
      handle: async (request) =>
        adminPage(request, {
          title,
          here,
          children: (
            <>
              <h1 className="h2">{title}</h1>
              {await intro?.(request)}
              {await renderTable(table, request.query)}
            </>
          ),
        }),
    },
    exportRoute(table),
  ];
}

import type { AdminRoute } from './admin-request.server.ts';
import { sheetRoutes } from './admin-sheet.server.ts';
import { logTable } from './log-table.tsx';
import { peopleTable } from './people-table.tsx';
import { signInRoutes } from './sign-in-again.server.tsx';
import { tableRoutes } from './table/table-routes.server.tsx';

/** Everything below /admin; the tests ask each of them as a stranger. */
export const adminRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin', handle: ({ c }) => c.redirect('/admin/people', 303) },
  ...sheetRoutes,
  ...signInRoutes,
  ...tableRoutes({ table: peopleTable, title: 'People', here: '/admin/people' }),
  ...tableRoutes({ table: logTable, title: 'Log', here: '/admin/log' }),
];

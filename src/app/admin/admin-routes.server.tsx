import type { AdminRoute } from './admin-request.server.ts';
import { sheetRoutes } from './admin-sheet.server.ts';
import { contentRoutes } from './content/content-routes.server.ts';
import { healthRoutes } from './health-page.server.tsx';
import { logTable } from './log-table.tsx';
import { moneyRoutes } from './money/money-routes.server.ts';
import { peopleRoutes } from './people/people-routes.server.tsx';
import { runsRoutes } from './runs/runs-routes.server.ts';
import { settingsRoutes } from './settings/settings-routes.server.ts';
import { signInRoutes } from './sign-in-again.server.tsx';
import { tableRoutes } from './table/table-routes.server.tsx';

/** All routes below /admin; tests request each of them as somebody who is not an operator. */
export const adminRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin', handle: ({ c }) => c.redirect('/admin/people', 303) },
  ...sheetRoutes,
  ...signInRoutes,
  ...peopleRoutes,
  ...moneyRoutes,
  ...runsRoutes,
  ...contentRoutes,
  ...settingsRoutes,
  ...healthRoutes,
  ...tableRoutes({ table: logTable, title: 'Log', here: '/admin/log' }),
];

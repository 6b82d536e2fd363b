import type { AdminRoute } from '../admin-request.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { marginPage } from './margin-page.server.tsx';
import { peopleCostsTable } from './people-costs-table.tsx';
import { ratingsPage } from './ratings-page.server.tsx';
import { runsTable } from './runs-table.tsx';

export const runsRoutes: readonly AdminRoute[] = [
  ...tableRoutes({ table: runsTable, title: 'Runs', here: '/admin/runs' }),
  { method: 'GET', path: '/admin/margin', handle: marginPage },
  { method: 'GET', path: '/admin/ratings', handle: ratingsPage },
  ...tableRoutes({ table: peopleCostsTable, title: 'Margin by person', here: '/admin/margin' }),
];

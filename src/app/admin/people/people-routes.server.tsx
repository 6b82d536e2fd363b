import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest, AdminRoute } from '../admin-request.server.ts';
import { searchText } from '../table/table-query.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { peopleTable } from './people-table.tsx';
import { personActions } from './person-actions.server.ts';
import { findPersonId, readPerson } from './person-data.server.ts';
import { PersonPage } from './person-page.tsx';

const here = '/admin/people';

/** Redirects a search for a complete email address or id to that person's page. */
function withPersonRedirect(route: AdminRoute): AdminRoute {
  if (route.method !== 'GET') return route;
  return {
    ...route,
    async handle(request: AdminRequest) {
      const text = searchText(request.query);
      const id = text === '' ? null : await findPersonId(text);
      return id ? request.c.redirect(`${here}/${id}`, 303) : route.handle(request);
    },
  };
}

export const peopleRoutes: readonly AdminRoute[] = [
  ...tableRoutes({ table: peopleTable, title: 'People', here }).map(withPersonRedirect),
  {
    method: 'GET',
    path: '/admin/people/:id',
    async handle(request) {
      const data = await readPerson(request.params.id ?? '');
      const title = data.person.email ?? 'Erased person';
      return adminPage(request, { title, here, children: <PersonPage {...data} /> });
    },
  },
  ...personActions,
];

import { z } from 'zod';
import { reconcile, replayEvents } from '#features/billing/service.server.ts';
import { readAction, redirectAfterAction, wasRecorded } from '../actions.server.ts';
import type { AdminRequest, AdminRoute } from '../admin-request.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { eventsTable } from './events-table.tsx';
import { moneyPage } from './money-page.server.tsx';
import { paymentsTable } from './payments-table.tsx';

const here = '/admin/money';

async function replay(request: AdminRequest): Promise<Response> {
  const { action, fields } = await readAction(request, { event: z.string().min(1).max(200).optional() });
  const { event } = fields;
  if (!(await wasRecorded(action))) await replayEvents(event ? { eventId: event } : { failed: true }, action);
  return redirectAfterAction(request, event ? '/admin/events' : here, action);
}

async function compare(request: AdminRequest): Promise<Response> {
  const { action } = await readAction(request, {});
  if (!(await wasRecorded(action))) await reconcile({ target: null }, action);
  return redirectAfterAction(request, here, action);
}

export const moneyRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: moneyPage },
  { method: 'POST', path: `${here}/reconcile`, handle: compare },
  ...tableRoutes({ table: paymentsTable, title: 'Payments', here }),
  ...tableRoutes({ table: eventsTable, title: 'Webhook events', here }),
  { method: 'POST', path: '/admin/events/replay', handle: replay },
];

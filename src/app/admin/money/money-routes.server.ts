import { z } from 'zod';
import { reconcile, replayEvents } from '#features/billing/service.server.ts';
import { afterAct, readAct, wasPressed } from '../acts.server.ts';
import type { AdminRequest, AdminRoute } from '../admin-request.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { eventsTable } from './events-table.tsx';
import { moneyPage } from './money-page.server.tsx';
import { paymentsTable } from './payments-table.tsx';

const here = '/admin/money';

async function replay(request: AdminRequest): Promise<Response> {
  const { act, fields } = await readAct(request, { event: z.string().min(1).max(200).optional() });
  const { event } = fields;
  if (!(await wasPressed(act))) await replayEvents(event ? { eventId: event } : { failed: true }, act);
  return afterAct(request, event ? '/admin/events' : here, act);
}

async function compare(request: AdminRequest): Promise<Response> {
  const { act } = await readAct(request, {});
  if (!(await wasPressed(act))) await reconcile({ target: null }, act);
  return afterAct(request, here, act);
}

export const moneyRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: moneyPage },
  { method: 'POST', path: `${here}/reconcile`, handle: compare },
  ...tableRoutes({ table: paymentsTable, title: 'Payments', here }),
  ...tableRoutes({ table: eventsTable, title: 'Webhook events', here }),
  { method: 'POST', path: '/admin/events/replay', handle: replay },
];

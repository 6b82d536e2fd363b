import { undoSettings } from '#platform/settings/change-settings.server.ts';
import { readAction, redirectAfterAction } from '../actions.server.ts';
import { AdminRefusal, type AdminRequest, type AdminRoute } from '../admin-request.server.ts';
import { tableRoutes } from '../table/table-routes.server.tsx';
import { historyIntro, historyTable } from './history-table.tsx';
import { logoRoutes } from './logo-page.server.tsx';
import { here, saveSettings, settingsPage, showSubmittedForm } from './settings-page.server.tsx';

async function undo(request: AdminRequest): Promise<Response> {
  const change = request.params.change ?? '';
  if (!/^[1-9]\d{0,8}$/.test(change)) throw new AdminRefusal('Change not found.', 404);
  const { action } = await readAction(request, {});
  const { operator: actor, operatorId, press } = action;
  await undoSettings({ actor, operatorId, press, change: Number(change) });
  return redirectAfterAction(request, historyTable.path, action);
}

export const settingsRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: here, handle: settingsPage },
  { method: 'POST', path: here, handle: saveSettings, tooOld: showSubmittedForm },
  ...logoRoutes,
  ...tableRoutes({ table: historyTable, title: 'History of the settings', here, intro: historyIntro }),
  { method: 'POST', path: `${historyTable.path}/:change/undo`, handle: undo },
];

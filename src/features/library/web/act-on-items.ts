import { json, request } from '#client/api-request.ts';
import { download } from '#client/download.ts';
import type { ActOnItems, LibraryItem, SelectionOutcome } from '../contract.ts';

export function actOnItems(action: ActOnItems['act'], items: LibraryItem[]): Promise<SelectionOutcome> {
  const body: ActOnItems = { act: action, items: items.map(({ kind, id }) => ({ kind, id })) };
  return request('/api/library/selection', json('POST', body));
}

export function downloadItems(items: LibraryItem[]): Promise<void> {
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  const ids = [...byKind].map(([kind, group]) => `${kind}=${group.map(({ id }) => id).join(',')}`);
  return download(`/api/library/export?${ids.join('&')}`);
}

import { json, request } from '#client/api-request.ts';
import { download } from '#client/download.ts';
import { m } from '#messages';
import type { ChatRow, SelectionAct } from '../../contract.ts';
import { offerUndo, tellFailure } from './offer-undo.ts';
import type { ControlParts } from './send-message.ts';

const act = (ids: string[], what: SelectionAct) =>
  request<{ chats: ChatRow[] }>('/api/chats/selection', json('POST', { ids, act: what }));

const acts = {
  archive: { back: 'unarchive', done: m.chat_selection_archived },
  delete: { back: 'restore', done: m.chat_selection_deleted },
} as const;

/** Whether it was done; what went wrong is told. */
export async function actOnSelection(
  parts: ControlParts,
  ids: string[],
  what: keyof typeof acts,
): Promise<boolean> {
  const { latest, dispatch } = parts;
  const { back, done } = acts[what];
  const openId = latest.current.open.id;
  try {
    const { chats } = await act(ids, what);
    for (const row of chats) dispatch({ type: 'arranged', row });
    if (what === 'delete') for (const chatId of ids) dispatch({ type: 'removed', chatId });
  } catch (error) {
    tellFailure(error);
    return false;
  }
  offerUndo(parts, {
    text: done({ count: ids.length }),
    undo: async () => (await act(ids, back)).chats,
    closed: ids.includes(openId) ? openId : null,
  });
  return true;
}

export const exportSelection = (ids: string[]) =>
  ids.length === 1
    ? download(`/api/chats/${ids[0]}/export?format=md`)
    : download(`/api/chats/export?format=md&ids=${ids.join(',')}`);

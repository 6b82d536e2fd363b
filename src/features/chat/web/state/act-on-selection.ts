import { json, request } from '#client/api-request.ts';
import { download } from '#client/download.ts';
import { notifySignedOut, toast } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChatRow, SelectionAct } from '../../contract.ts';
import { type ControlParts, isExpired } from './send-message.ts';

/** Milliseconds. */
const undoTime = 8_000;

const act = (ids: string[], what: SelectionAct) =>
  request<{ chats: ChatRow[] }>('/api/chats/selection', json('POST', { ids, act: what }));

const acts = {
  archive: { back: 'unarchive', done: m.chat_selection_archived },
  delete: { back: 'restore', done: m.chat_selection_deleted },
} as const;

/** Whether it was done; what went wrong is told. */
export async function actOnSelection(
  { latest, dispatch, navigate }: ControlParts,
  ids: string[],
  what: keyof typeof acts,
): Promise<boolean> {
  const { back, done } = acts[what];
  const openId = latest.current.open.id;
  const leaves = ids.includes(openId);
  const report = (error: unknown) => {
    if (isExpired(error)) notifySignedOut();
    showError(error);
  };
  try {
    const { chats } = await act(ids, what);
    for (const row of chats) dispatch({ type: 'arranged', row });
    if (what === 'delete') for (const chatId of ids) dispatch({ type: 'removed', chatId });
  } catch (error) {
    report(error);
    return false;
  }
  if (leaves) void navigate('/chat/new');
  const undo = async () => {
    try {
      for (const row of (await act(ids, back)).chats) dispatch({ type: 'arranged', row });
      if (leaves) void navigate(`/chat/${openId}`);
    } catch (error) {
      report(error);
    }
  };
  toast({
    text: done({ count: ids.length }),
    action: { label: m.common_undo(), run: () => void undo() },
    lasts: undoTime,
  });
  return true;
}

export const exportSelection = (ids: string[]) =>
  ids.length === 1
    ? download(`/api/chats/${ids[0]}/export?format=md`)
    : download(`/api/chats/export?format=md&ids=${ids.join(',')}`);

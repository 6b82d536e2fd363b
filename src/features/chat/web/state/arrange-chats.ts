import { json, request } from '#client/api-request.ts';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import type { ChangeChat, ChatRow } from '../../contract.ts';
import { deleteChat } from './chat-api.ts';
import { offerUndo, reportFailure } from './offer-undo.ts';
import type { ControlParts } from './send-message.ts';
import { shortTitle } from './short-title.ts';

export type Arrangement =
  | { pinned: boolean; archived?: undefined }
  | { archived: boolean; pinned?: undefined };

const changeChat = (id: string, change: Omit<ChangeChat, 'title'>) =>
  request<ChatRow>(`/api/chats/${id}`, json('PATCH', change));

const restoreChat = (chatId: string) => request<ChatRow>(`/api/chats/${chatId}/restore`, { method: 'POST' });

/** Restores a deleted chat and opens it. */
export async function restoreAndOpen(
  { latest, dispatch, navigate }: ControlParts,
  chatId: string,
): Promise<void> {
  const row = await restoreChat(chatId);
  dispatch({ type: 'arranged', row });
  if (latest.current.open.id !== chatId) void navigate(`/chat/${chatId}`);
}

/** Returns whether it succeeded; errors are shown. */
export async function arrangeChat(
  parts: ControlParts,
  chatId: string,
  change: Arrangement,
): Promise<boolean> {
  try {
    const row = await changeChat(chatId, change);
    const title = shortTitle(row.title);
    const closedChatId = parts.latest.current.open.id === chatId ? chatId : null;
    parts.dispatch({ type: 'arranged', row });
    if (change.archived === false) toast({ text: m.chat_unarchived_toast({ title }) });
    if (change.archived)
      offerUndo(parts, {
        text: m.chat_archived_toast({ title }),
        undo: async () => [await changeChat(chatId, { archived: false })],
        closedChatId,
      });
    return true;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}

export async function removeChat(parts: ControlParts, chatId: string): Promise<void> {
  const { latest, dispatch, navigate } = parts;
  const { chats, open } = latest.current;
  // Leaving a temporary chat erases it.
  if (open.temporary && open.id === chatId) return navigate('/chat/new');
  const title = chats.find((row) => row.id === chatId)?.title ?? open.title;
  await deleteChat(chatId);
  dispatch({ type: 'removed', chatId });
  offerUndo(parts, {
    text: m.chat_deleted({ title: shortTitle(title) }),
    undo: async () => [await restoreChat(chatId)],
    closedChatId: latest.current.open.id === chatId ? chatId : null,
  });
}

/** Shows the new title at once, and the old one again after an error. A blank or unchanged title changes nothing. */
export async function renameChat(
  { latest, dispatch }: ControlParts,
  chatId: string,
  typed: string,
): Promise<void> {
  const before = latest.current.chats.find((row) => row.id === chatId)?.title ?? latest.current.open.title;
  const title = typed.trim();
  if (title === '' || title === before) return;
  const show = (shown: string) => dispatch({ type: 'titled', chatId, title: shown });
  show(title);
  try {
    const row = await request<ChatRow>(`/api/chats/${chatId}`, json('PATCH', { title: typed }));
    show(row.title);
  } catch (error) {
    show(before);
    throw error;
  }
}

import { json, request } from '#client/api-request.ts';
import { notifySignedOut, toast } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChangeChat, ChatRow } from '../../contract.ts';
import { shortTitle } from './chat-state.ts';
import { type ControlParts, isExpired } from './send-message.ts';

export type Arrangement =
  | { pinned: boolean; archived?: undefined }
  | { archived: boolean; pinned?: undefined };

/** Milliseconds. */
const undoTime = 6_000;

const changeChat = (id: string, change: Omit<ChangeChat, 'title'>) =>
  request<ChatRow>(`/api/chats/${id}`, json('PATCH', change));

/** Whether it was done; what went wrong is told. */
export async function arrangeChat(
  parts: ControlParts,
  chatId: string,
  change: Arrangement,
): Promise<boolean> {
  const { latest, dispatch, navigate } = parts;
  try {
    const row = await changeChat(chatId, change);
    const isOpen = latest.current.open.id === chatId;
    dispatch({ type: 'arranged', row });
    if (change.archived === false) toast({ text: m.chat_unarchived_toast({ title: shortTitle(row.title) }) });
    if (!change.archived) return true;
    if (isOpen) void navigate('/chat/new');
    const undo = async () => {
      try {
        dispatch({ type: 'arranged', row: await changeChat(chatId, { archived: false }) });
        if (isOpen) void navigate(`/chat/${chatId}`);
      } catch (error) {
        showError(error);
      }
    };
    toast({
      text: m.chat_archived_toast({ title: shortTitle(row.title) }),
      action: { label: m.common_undo(), run: () => void undo() },
      lasts: undoTime,
    });
    return true;
  } catch (error) {
    if (isExpired(error)) notifySignedOut();
    showError(error);
    return false;
  }
}

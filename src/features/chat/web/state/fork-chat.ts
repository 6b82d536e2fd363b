import type { NavigateFunction } from 'react-router';
import { json, request } from '#client/api-request.ts';
import { toast } from '#client/page-events.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { reportFailure } from './offer-undo.ts';

/** Opens the new chat, whose loader also updates the list. Errors are shown. */
export async function forkChat(messageId: string, navigate: NavigateFunction): Promise<void> {
  try {
    const body = json('POST', { messageId, id: newUuid() });
    const { id } = await request<{ id: string }>('/api/chats/fork', body);
    await navigate(`/chat/${id}`);
    toast({ text: m.chat_forked() });
  } catch (error) {
    reportFailure(error);
  }
}

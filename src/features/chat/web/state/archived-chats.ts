import { request } from '#client/api-request.ts';
import type { ChatRow } from '../../contract.ts';

export const fetchArchivedChats = (before: string | null) =>
  request<{ chats: ChatRow[]; next: string | null }>(
    `/api/chats?${new URLSearchParams({ archived: 'true', ...(before === null ? {} : { before }) })}`,
  );

import { json, request } from '../../../../client/request.ts';
import type { Me } from '../../../accounts/contract.ts';
import type { ChatRow, ChatView, SearchHit } from '../../contract.ts';

/** A page of the user's chats, newest first; `before` is the `next` of the page above. Throws ProblemError. */
export const fetchChats = (before: string | null) =>
  request<{ chats: ChatRow[]; next: string | null }>(
    `/api/chats${before === null ? '' : `?before=${encodeURIComponent(before)}`}`,
  );

/** The end of a chat's branch, or the part of it that the query names (see ChatView). Throws ProblemError. */
export const fetchChat = (chatId: string, part: { before?: string; after?: string; at?: string } = {}) =>
  request<ChatView>(`/api/chats/${chatId}?${new URLSearchParams(part)}`);

/** Chats and messages that hold the words. Throws ProblemError, and what an aborted request throws. */
export const searchChats = (query: string, signal: AbortSignal) =>
  request<{ hits: SearchHit[] }>(`/api/search?${new URLSearchParams({ q: query })}`, { signal });

/** Shows the newest branch through a message from now on, on every device. Throws ProblemError. */
export const chooseBranch = (chatId: string, messageId: string) =>
  request<ChatView>(`/api/chats/${chatId}/branch`, json('PUT', { messageId }));

/** Gives a chat a title; the server's form of it. Throws ProblemError. */
export const renameChat = (chatId: string, title: string) =>
  request<{ id: string; title: string }>(`/api/chats/${chatId}`, json('PATCH', { title }));

/** Throws ProblemError. */
export const deleteChat = (chatId: string) =>
  request<void>(`/api/chats/${chatId}`, { method: 'DELETE', keepalive: true });

/** Brings a deleted chat back, while its words are kept. Throws ProblemError. */
export const restoreChat = (chatId: string) =>
  request<ChatRow>(`/api/chats/${chatId}/restore`, { method: 'POST' });

/** Asks the server to end a reply; its stream tells when it has. Throws ProblemError. */
export const stopGeneration = (id: string) =>
  request<unknown>(`/api/generations/${id}/stop`, { method: 'POST' });

/** The signed-in user as the server knows them now. Throws ProblemError. */
export const fetchMe = () => request<Me>('/api/me');

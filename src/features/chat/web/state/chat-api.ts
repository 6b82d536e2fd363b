import { json, request } from '#client/api-request.ts';
import { ConnectionError, ProblemError } from '#client/problem-error.ts';
import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { type ChatPage, type ChatView, failureText } from '../../contract.ts';
import type { Notice } from './chat-state.ts';

export const fetchChats = (before: string | null) =>
  request<ChatPage>(`/api/chats${before === null ? '' : `?before=${encodeURIComponent(before)}`}`);

export const fetchChat = (chatId: string, part: { before?: string; after?: string; at?: string } = {}) =>
  request<ChatView>(`/api/chats/${chatId}?${new URLSearchParams(part)}`);

export const chooseBranch = (chatId: string, messageId: string) =>
  request<ChatView>(`/api/chats/${chatId}/branch`, json('PUT', { messageId }));

export const storeModel = (model: string | null, chatId: string | undefined) =>
  request<void>('/api/chats/model', json('PUT', { model, chatId }));

export const storeComparedModel = (compare: string | null, chatId: string) =>
  request<void>('/api/chats/model', json('PUT', { compare, chatId }));

export const deleteChat = (chatId: string) =>
  request<void>(`/api/chats/${chatId}`, { method: 'DELETE', keepalive: true });

export const stopGeneration = (id: string) =>
  request<unknown>(`/api/generations/${id}/stop`, { method: 'POST' });

export const fetchMe = () => request<Me>('/api/me');

export function toNotice(error: unknown, me: Me | null): Notice {
  if (error instanceof ConnectionError) return { text: error.message, code: 'offline' };
  if (!(error instanceof ProblemError)) return { text: failureText(), code: 'internal' };
  const { body, retryAfter } = error;
  const { code } = body;
  if (code === 'unauthorized') return { text: m.chat_notice_signed_out(), code };
  if (code === 'credits_exhausted' && me)
    return { text: m.chat_notice_credits_left({ error: body.error, credits: me.credits }), code };
  if (code === 'internal' && body.requestId)
    return { text: m.chat_notice_reference({ error: body.error, id: body.requestId }), code };
  const until = retryAfter === null ? {} : { until: Date.now() + retryAfter * 1000 };
  return { text: body.error, code, ...until };
}

import type { Me } from '../../../accounts/contract.ts';
import type { ChatRow, ChatView } from '../../contract.ts';
import { readProblem } from './problem-error.ts';

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, ...init });
  if (!response.ok) throw await readProblem(response);
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

/** A page of the user's chats, newest first; `before` is the `next` of the page above. Throws ProblemError. */
export const fetchChats = (before: string | null) =>
  request<{ chats: ChatRow[]; next: string | null }>(
    `/api/chats${before === null ? '' : `?before=${encodeURIComponent(before)}`}`,
  );

/** The messages of a chat before the one with the given id. Throws ProblemError. */
export const fetchOlder = (chatId: string, before: string) =>
  request<ChatView>(`/api/chats/${chatId}?before=${encodeURIComponent(before)}`);

/** Asks the server to end a reply; its stream tells when it has. Throws ProblemError. */
export const stopGeneration = (id: string) =>
  request<unknown>(`/api/generations/${id}/stop`, { method: 'POST' });

/** The signed-in user as the server knows them now. Throws ProblemError. */
export const fetchMe = () => request<Me>('/api/me');

import { json, request } from '#client/api-request.ts';
import type { Prompt, PromptBody, Rated } from '../contract.ts';

const at = (id: string, what = '') => `/api/prompts/${encodeURIComponent(id)}${what}`;

export const like = (id: string, liked: boolean) =>
  request<{ likes: number; isLiked: boolean }>(at(id, '/like'), {
    method: liked ? 'POST' : 'DELETE',
    keepalive: true,
  });
export const create = (body: PromptBody) => request<Prompt>('/api/prompts', json('POST', body));
export const change = (id: string, body: PromptBody) => request<Prompt>(at(id), json('PATCH', body));
export const remove = (id: string) => request<void>(at(id), { method: 'DELETE', keepalive: true });
export const restore = (id: string) => request<Prompt>(at(id, '/restore'), { method: 'POST' });
export const submit = (id: string, submitted: boolean) =>
  request<Prompt>(at(id, '/submission'), { method: submitted ? 'POST' : 'DELETE' });
/** `keepalive`, because the page is left at the same time. */
export const noteUse = (id: string) => request<void>(at(id, '/uses'), { method: 'POST', keepalive: true });
export const rate = (id: string, stars: number | null) =>
  request<Rated>(at(id, '/rating'), stars === null ? { method: 'DELETE' } : json('PUT', { stars }));
export const report = (id: string, reason: string) =>
  request<void>(at(id, '/report'), json('POST', { reason }));

import { json, request } from '#client/api-request.ts';
import type { Prompt, PromptBody, PromptRating } from '../contract.ts';

const apiPath = (id: string, suffix = '') => `/api/prompts/${encodeURIComponent(id)}${suffix}`;

export const like = (id: string, liked: boolean) =>
  request<{ likes: number; isLiked: boolean }>(apiPath(id, '/like'), {
    method: liked ? 'POST' : 'DELETE',
    keepalive: true,
  });
export const create = (body: PromptBody) => request<Prompt>('/api/prompts', json('POST', body));
export const change = (id: string, body: PromptBody) => request<Prompt>(apiPath(id), json('PATCH', body));
export const remove = (id: string) => request<void>(apiPath(id), { method: 'DELETE', keepalive: true });
export const restore = (id: string) => request<Prompt>(apiPath(id, '/restore'), { method: 'POST' });
export const submit = (id: string, submitted: boolean) =>
  request<Prompt>(apiPath(id, '/submission'), { method: submitted ? 'POST' : 'DELETE' });
/** `keepalive`, because the page is left at the same time. */
export const recordUse = (id: string) =>
  request<void>(apiPath(id, '/uses'), { method: 'POST', keepalive: true });
export const rate = (id: string, stars: number | null) =>
  request<PromptRating>(
    apiPath(id, '/rating'),
    stars === null ? { method: 'DELETE' } : json('PUT', { stars }),
  );
export const report = (id: string, reason: string) =>
  request<void>(apiPath(id, '/report'), json('POST', { reason }));

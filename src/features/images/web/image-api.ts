import { request } from '#client/api-request.ts';
import { requestIdempotent } from '#features/generations/web/idempotency-keys.ts';
import type { ImageJob, ImagePage, StartedImages, StartImages } from '../contract.ts';

export const startImages = (body: StartImages): Promise<StartedImages> =>
  requestIdempotent('/api/images', body);

export const fetchJob = (id: string): Promise<ImageJob> => request(`/api/images/${id}`);

export function fetchPage(query: { q: string; size: string }, before: string): Promise<ImagePage> {
  return request(`/api/images?${new URLSearchParams({ ...query, before })}`);
}

export const deleteImages = (kind: 'job' | 'picture', id: string): Promise<void> =>
  request(pathOf(kind, id), { method: 'DELETE', keepalive: true });

export const restoreImages = (kind: 'job' | 'picture', id: string): Promise<ImageJob> =>
  request(`${pathOf(kind, id)}/restore`, { method: 'POST' });

const pathOf = (kind: 'job' | 'picture', id: string) =>
  `/api/images/${kind === 'picture' ? 'pictures/' : ''}${id}`;

export const stopImages = (id: string): Promise<unknown> =>
  request(`/api/generations/${id}/stop`, { method: 'POST' });

import { json, request } from '../../../client/request.ts';
import { idempotencyHeader } from '../../generations/contract.ts';
import type { ImageJob, ImagePage, StartedImages, StartImages } from '../contract.ts';

/** Asks for pictures; the same key and body again is the same run. */
export function startImages(body: StartImages, key: string): Promise<StartedImages> {
  const init = json('POST', body);
  return request('/api/images', { ...init, headers: { ...init.headers, [idempotencyHeader]: key } });
}

export const fetchJob = (id: string): Promise<ImageJob> => request(`/api/images/${id}`);

/** The page of the gallery after the one that ends with `before`. */
export function fetchPage(query: { q: string; size: string }, before: string): Promise<ImagePage> {
  return request(`/api/images?${new URLSearchParams({ ...query, before })}`);
}

/** Deletes a job with its pictures, or one picture; it can come back for a week. */
export const deleteImages = (what: 'job' | 'picture', id: string): Promise<void> =>
  request(pathOf(what, id), { method: 'DELETE', keepalive: true });

export const restoreImages = (what: 'job' | 'picture', id: string): Promise<ImageJob> =>
  request(`${pathOf(what, id)}/restore`, { method: 'POST' });

const pathOf = (what: 'job' | 'picture', id: string) =>
  `/api/images/${what === 'picture' ? 'pictures/' : ''}${id}`;

export const stopImages = (id: string): Promise<unknown> =>
  request(`/api/generations/${id}/stop`, { method: 'POST' });

import { json, request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { ChangeShare, CreateShare, Share, ShareSource, SourceIds } from '../contract.ts';

export function fetchSource({ chatId, messageId, workId, pictureIds }: SourceIds) {
  const ids = { chat: chatId, message: messageId, work: workId, images: pictureIds?.join() };
  const params = Object.entries(ids).filter((each): each is [string, string] => each[1] !== undefined);
  return request<ShareSource>(`/api/shares/source?${new URLSearchParams(params)}`);
}

export const createShare = (body: CreateShare) => request<Share>('/api/shares', json('POST', body));
export const changeShare = (id: string, change: ChangeShare) =>
  request<Share>(`/api/shares/${id}`, json('PATCH', change));
export const updateShare = (id: string) =>
  request<Share>(`/api/shares/${id}/snapshot`, { method: 'POST', keepalive: true });
/** A page that no longer exists counts as stopped. */
export const stopShare = (id: string) =>
  request(`/api/shares/${id}`, { method: 'DELETE', keepalive: true }).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.body.code !== 'not_found') throw error;
  });

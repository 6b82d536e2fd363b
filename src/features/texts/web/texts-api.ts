import { json, request } from '#client/api-request.ts';
import type { Feature } from '#features/credits/contract.ts';
import type { TextLength } from '#shared/text-length.ts';
import type { TextDetail, TextSummary } from '../contract.ts';

export const fetchTexts = (
  feature: Feature,
  { q = '', before = null, signal }: { q?: string; before?: string | null; signal?: AbortSignal } = {},
) =>
  request<{ works: TextSummary[]; next: string | null }>(
    `/api/works?${new URLSearchParams({ feature, ...(q ? { q } : {}), ...(before ? { before } : {}) })}`,
    signal ? { signal } : {},
  );

export const renameText = (id: string, title: string) =>
  request<{ id: string; title: string }>(`/api/works/${id}`, json('PATCH', { title }));

export const setAuthor = (id: string, author: string) =>
  request<{ author: string }>(`/api/works/${id}`, json('PATCH', { author }));

export const deleteText = (id: string) =>
  request<void>(`/api/works/${id}`, { method: 'DELETE', keepalive: true });

export const restoreText = (id: string) =>
  request<TextDetail>(`/api/works/${id}/restore`, { method: 'POST' });

/** Bytes; browsers refuse larger keepalive requests (64 KiB in total). */
const KEEPALIVE_LIMIT = 60_000;

export function saveVersion(id: string, versionId: string, content: string, edition: number) {
  const init = json('PUT', { content, edition });
  const keepalive = new Blob([String(init.body)]).size < KEEPALIVE_LIMIT;
  return request<{ id: string; edition: number } & TextLength>(`/api/works/${id}/versions/${versionId}`, {
    ...init,
    keepalive,
  });
}

export const restoreVersion = (id: string, versionId: string) =>
  request<TextDetail>(`/api/works/${id}/versions/${versionId}/restore`, { method: 'POST' });

export const decideProposal = (
  id: string,
  proposalId: string,
  body: { decision: 'accepted'; content: string } | { decision: 'discarded' },
) => request<TextDetail>(`/api/works/${id}/proposals/${proposalId}`, json('POST', body));

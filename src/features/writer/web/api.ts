import { readProblem } from '../../../client/problem-error.ts';
import { json, request } from '../../../client/request.ts';
import type { WorkRow, WorkView } from '../../works/contract.ts';

/** A page of the person's texts, newest first, those that hold the words. Throws ProblemError. */
export const fetchTexts = (query: string, before: string | null, signal?: AbortSignal) =>
  request<{ works: WorkRow[]; next: string | null }>(
    `/api/works?${new URLSearchParams({ feature: 'writer', q: query, ...(before ? { before } : {}) })}`,
    { signal },
  );

/** Throws ProblemError. */
export const renameText = (id: string, title: string) =>
  request<{ id: string; title: string }>(`/api/works/${id}`, json('PATCH', { title }));

/** Throws ProblemError. */
export const deleteText = (id: string) =>
  request<void>(`/api/works/${id}`, { method: 'DELETE', keepalive: true });

/** Brings a deleted text back. Throws ProblemError. */
export const undeleteText = (id: string) => request<WorkView>(`/api/works/${id}/restore`, { method: 'POST' });

/** Makes an older version the newest one again. Throws ProblemError. */
export const restoreVersion = (id: string, versionId: string) =>
  request<WorkView>(`/api/works/${id}/versions/${versionId}/restore`, { method: 'POST' });

/** Saves what was changed by hand (see `saveVersion` of works). Throws ProblemError. */
export const saveText = (id: string, versionId: string, body: { content: string; edition: number }) =>
  request<{ id: string; edition: number; words: number }>(
    `/api/works/${id}/versions/${versionId}`,
    // Browsers refuse to keep a large body alive.
    { ...json('PUT', body), keepalive: body.content.length < 20_000 },
  );

/** Takes a proposal, with the whole text that holds it, or lets it go. Throws ProblemError. */
export const decide = (id: string, proposalId: string, content: string | null) =>
  request<WorkView>(
    `/api/works/${id}/proposals/${proposalId}`,
    json('POST', content === null ? { decision: 'discarded' } : { decision: 'accepted', content }),
  );

const nameIn = (disposition: string | null) =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? 'text');

/** Saves a version as a file on the person's device. Throws ProblemError. */
export async function downloadText(id: string, versionId: string, format: string): Promise<void> {
  const response = await fetch(
    `/api/write/${id}/export?${new URLSearchParams({ version: versionId, format })}`,
  );
  if (!response.ok) throw await readProblem(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers.get('content-disposition'));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

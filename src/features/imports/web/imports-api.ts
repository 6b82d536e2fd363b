import { json, request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { explainTooLarge } from '#client/upload.ts';
import { type BeginImport, type ImportView, importLimits } from '../contract.ts';

export const fetchImports = () =>
  request<{ imports: ImportView[] }>('/api/imports').then(({ imports }) => imports);

export const startImport = (id: string) =>
  request<ImportView>(`/api/imports/${id}/start`, { method: 'POST' });

export const stopImport = (id: string) =>
  request(`/api/imports/${id}`, { method: 'DELETE', keepalive: true });

const sendPart = (id: string, position: number, part: Blob, signal: AbortSignal) =>
  request(`/api/imports/${id}/parts/${position}`, { method: 'PUT', body: part, signal }).catch(
    (error: unknown) => {
      throw error instanceof ProblemError ? explainTooLarge(error, part.size, importLimits.part) : error;
    },
  );

/** In parts, as proxies bound what one request may carry. */
export async function sendFile(
  file: File,
  {
    signal,
    onBegin,
    onSent,
  }: { signal: AbortSignal; onBegin: (made: ImportView) => void; onSent: (share: number) => void },
): Promise<ImportView> {
  const wanted: BeginImport = { name: file.name, bytes: file.size };
  const made = await request<ImportView>('/api/imports', json('POST', wanted));
  onBegin(made);
  const parts = Math.ceil(file.size / importLimits.part);
  for (let position = 0; position < parts; position++) {
    const start = position * importLimits.part;
    await sendPart(made.id, position, file.slice(start, start + importLimits.part), signal);
    onSent((position + 1) / parts);
  }
  return startImport(made.id);
}

import { json, request } from '#client/api-request.ts';
import { delay } from '#client/delay.ts';
import { explainTooLarge } from '#client/explain-too-large.ts';
import { ProblemError } from '#client/problem-error.ts';
import { type CreateImport, type ImportView, importLimits } from '../contract.ts';

export const fetchImports = () =>
  request<{ imports: ImportView[] }>('/api/imports').then(({ imports }) => imports);

export const startImport = (id: string) =>
  request<ImportView>(`/api/imports/${id}/start`, { method: 'POST' });

export const stopImport = (id: string) =>
  request(`/api/imports/${id}`, { method: 'DELETE', keepalive: true });

const MAX_ATTEMPTS = 5;

/**
 * Whether a retry may help: network errors, a restarting server, or another part still in progress; not a final
 * refusal.
 */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ProblemError) || error.status >= 500) return true;
  return error.body.code === 'rate_limited' && (error.retryAfter ?? Number.POSITIVE_INFINITY) <= 10;
}

async function sendPart(id: string, position: number, part: Blob, signal: AbortSignal): Promise<void> {
  for (let attemptsLeft = MAX_ATTEMPTS; ; ) {
    try {
      return await request(`/api/imports/${id}/parts/${position}`, { method: 'PUT', body: part, signal });
    } catch (error) {
      attemptsLeft--;
      if (attemptsLeft === 0 || signal.aborted || !isTemporary(error))
        throw error instanceof ProblemError ? explainTooLarge(error, part.size, importLimits.part) : error;
      await delay(1_000 * 2 ** (MAX_ATTEMPTS - 1 - attemptsLeft), signal);
    }
  }
}

/** Uploads the file in parts, because proxies limit the size of a request, and starts the import. */
export async function sendFile(
  file: File,
  {
    signal,
    onCreated,
    onSent,
  }: { signal: AbortSignal; onCreated: (created: ImportView) => void; onSent: (share: number) => void },
): Promise<ImportView> {
  const body: CreateImport = { name: file.name, bytes: file.size };
  const created = await request<ImportView>('/api/imports', json('POST', body));
  onCreated(created);
  const parts = Math.ceil(file.size / importLimits.part);
  for (let position = 0; position < parts; position++) {
    const start = position * importLimits.part;
    await sendPart(created.id, position, file.slice(start, start + importLimits.part), signal);
    onSent((position + 1) / parts);
  }
  return startImport(created.id);
}

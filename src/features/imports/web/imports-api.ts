import { json, request } from '#client/api-request.ts';
import { delay } from '#client/delay.ts';
import { explainTooLarge } from '#client/explain-too-large.ts';
import { ProblemError } from '#client/problem-error.ts';
import { type BeginImport, type ImportView, importLimits } from '../contract.ts';

export const fetchImports = () =>
  request<{ imports: ImportView[] }>('/api/imports').then(({ imports }) => imports);

export const startImport = (id: string) =>
  request<ImportView>(`/api/imports/${id}/start`, { method: 'POST' });

export const stopImport = (id: string) =>
  request(`/api/imports/${id}`, { method: 'DELETE', keepalive: true });

const TRIES = 5;

/**
 * Whether a retry may help: network errors, a restarting server, or another part still in progress; not a final
 * refusal.
 */
function passes(error: unknown): boolean {
  if (!(error instanceof ProblemError) || error.status >= 500) return true;
  return error.body.code === 'rate_limited' && (error.retryAfter ?? Number.POSITIVE_INFINITY) <= 10;
}

async function sendPart(id: string, position: number, part: Blob, signal: AbortSignal): Promise<void> {
  for (let left = TRIES; ; ) {
    try {
      return await request(`/api/imports/${id}/parts/${position}`, { method: 'PUT', body: part, signal });
    } catch (error) {
      left--;
      if (left === 0 || signal.aborted || !passes(error))
        throw error instanceof ProblemError ? explainTooLarge(error, part.size, importLimits.part) : error;
      await delay(1_000 * 2 ** (TRIES - 1 - left), signal);
    }
  }
}

/** Uploads the file in parts, because proxies limit the size of a request, and starts the import. */
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

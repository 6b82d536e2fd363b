import { ConnectionError, ProblemError } from '#client/problem-error.ts';
import { upload } from '#client/upload.ts';
import type { ProblemCode } from '#shared/problem-codes.ts';
import { documentLimits, passwordHeader, type ReadingLine } from '../../contract.ts';

export type UploadProgress =
  | { step: 'sending'; sent: number; of: number }
  | { step: 'reading'; page: number; of: number | null };

const lastLine = (text: string) => {
  const line = text.split('\n').at(-2);
  return line ? (JSON.parse(line) as ReadingLine) : null;
};

interface SendOptions {
  signal: AbortSignal;
  password: string | null;
  onProgress: (progress: UploadProgress) => void;
}

export async function sendDocument(file: File, { signal, password, onProgress }: SendOptions) {
  const request = await upload('/api/documents', {
    file,
    limit: documentLimits.size,
    headers: {
      accept: 'application/x-ndjson',
      ...(password === null ? {} : { [passwordHeader]: encodeURIComponent(password) }),
    },
    signal,
    onProgress: (sent, of) => onProgress({ step: 'sending', sent, of }),
    onResponse(text) {
      const line = lastLine(text) ?? { page: 0, of: null };
      if ('page' in line) onProgress({ step: 'reading', page: line.page, of: line.of });
    },
  });
  const last = lastLine(request.responseText);
  if (last && 'document' in last) return last.document;
  if (last && 'error' in last) {
    const requestId = request.getResponseHeader('x-request-id') ?? '';
    throw new ProblemError(400, { error: last.error, code: last.code as ProblemCode, requestId }, null);
  }
  throw new ConnectionError(new Error('The answer was cut.'));
}

import { ConnectionError, ProblemError } from '../../../../client/problem-error.ts';
import { uploadProblem } from '../../../../client/upload-problem.ts';
import type { ProblemCode } from '../../../../shared/problems.ts';
import {
  type DocumentView,
  documentLimits,
  documentTexts,
  passwordHeader,
  type ReadingLine,
} from '../../contract.ts';

/** How far a file is on its way: bytes that are sent, then pages that are read. */
export type UploadProgress =
  | { step: 'sending'; sent: number; of: number }
  | { step: 'reading'; page: number; of: number | null };

/** Why a file cannot be taken, in the specification's words; null when it can. */
export function refusalOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>) {
  // Some systems give no type.
  const isPdf = type === '' ? /\.pdf$/i.test(name) : type === 'application/pdf';
  if (!isPdf) return documentTexts.wrongType;
  return size > documentLimits.size ? documentTexts.tooLarge : null;
}

const linesOf = (text: string): ReadingLine[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReadingLine);

function outcomeOf(request: XMLHttpRequest): DocumentView {
  const last = linesOf(request.responseText).at(-1);
  if (last && 'document' in last) return last.document;
  if (last && 'error' in last) {
    const requestId = request.getResponseHeader('x-request-id') ?? '';
    throw new ProblemError(400, { error: last.error, code: last.code as ProblemCode, requestId }, null);
  }
  throw new ConnectionError(new Error('The answer was cut.'));
}

/**
 * Sends a file and hears how far it is: XMLHttpRequest, as fetch does not tell how many bytes it has sent.
 * Rejects with ProblemError or ConnectionError; never after its signal.
 */
export function sendDocument(
  file: File,
  {
    signal,
    password,
    onProgress,
  }: { signal: AbortSignal; password: string | null; onProgress: (progress: UploadProgress) => void },
): Promise<DocumentView> {
  const request = new XMLHttpRequest();
  signal.addEventListener('abort', () => request.abort());
  const refused = () => uploadProblem(request, { size: file.size, limit: documentLimits.size });
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ step: 'sending', sent: loaded, of: total });
    request.upload.onload = () => onProgress({ step: 'reading', page: 0, of: null });
    request.onprogress = () => {
      if (request.status !== 200) return;
      const line = linesOf(request.responseText).at(-1);
      if (line && 'page' in line) onProgress({ step: 'reading', page: line.page, of: line.of });
    };
    request.onload = () => {
      if (request.status !== 200) return void refused().then(reject, reject);
      try {
        resolve(outcomeOf(request));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => void refused().then(reject, reject);
    request.open('POST', `/api/documents?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('accept', 'application/x-ndjson');
    if (password !== null) request.setRequestHeader(passwordHeader, encodeURIComponent(password));
    request.send(file);
  });
}

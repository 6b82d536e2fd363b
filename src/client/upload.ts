import { explainTooLarge } from './explain-too-large.ts';
import { ConnectionError, readProblem } from './problem-error.ts';

interface FileRules<W, L> {
  types: readonly string[];
  /** Bytes. */
  size: number;
  texts: { wrongType: W; tooLarge: L };
}

export function validateFile<W, L>(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  { types, size: limit, texts }: FileRules<W, L>,
): W | L | null {
  // Some systems report no type.
  const extension = name.split('.').at(-1)?.toLowerCase().replace('jpg', 'jpeg');
  const isAllowed = type === '' ? types.some((each) => each.endsWith(`/${extension}`)) : types.includes(type);
  if (!isAllowed) return texts.wrongType;
  return size > limit ? texts.tooLarge : null;
}

interface UploadOptions {
  file: File;
  /** Bytes. */
  limit: number;
  headers: Record<string, string>;
  signal: AbortSignal;
  onProgress(sent: number, of: number): void;
  onResponse(text: string): void;
}

async function readUploadError(request: XMLHttpRequest, size: number, limit: number): Promise<Error> {
  const { status, responseText } = request;
  if (status === 0) return new ConnectionError(new Error('The upload was cut.'));
  const headers = ['retry-after', 'x-request-id'].map((name): [string, string] => [
    name,
    request.getResponseHeader(name) ?? '',
  ]);
  return explainTooLarge(await readProblem(new Response(responseText, { status, headers })), size, limit);
}

/**
 * Uses XMLHttpRequest, because fetch does not report upload progress. Rejects with ProblemError or ConnectionError;
 * never settles after an abort.
 */
export function upload(
  path: string,
  { file, limit, headers, signal, onProgress, onResponse }: UploadOptions,
): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest();
  signal.addEventListener('abort', () => request.abort());
  return new Promise((resolve, reject) => {
    const isSuccess = () => request.status >= 200 && request.status < 300;
    const fail = () => void readUploadError(request, file.size, limit).then(reject, reject);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.upload.onload = () => onResponse('');
    request.onprogress = () => {
      if (isSuccess()) onResponse(request.responseText);
    };
    request.onload = () => (isSuccess() ? resolve(request) : fail());
    request.onerror = fail;
    request.open('POST', `${path}?name=${encodeURIComponent(file.name)}`);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(file);
  });
}

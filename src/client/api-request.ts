import { readProblem } from './problem-error.ts';

/** @throws ProblemError, or the error of an aborted request */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, ...init });
  if (!response.ok) throw await readProblem(response);
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

/** `keepalive`: the request completes even if the person leaves the page at once. */
export const json = (method: string, body: unknown): RequestInit => ({
  method,
  keepalive: true,
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

import { readProblem } from './problem-error.ts';

/** @throws ProblemError, and what an aborted request throws. */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, ...init });
  if (!response.ok) throw await readProblem(response);
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

/** `keepalive`: what a person changed is sent to its end, even if they leave the page at once. */
export const json = (method: string, body: unknown): RequestInit => ({
  method,
  keepalive: true,
  headers: { accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

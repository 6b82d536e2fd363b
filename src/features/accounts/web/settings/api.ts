import { refusedOnTheWay } from '../../../../client/upload-problem.ts';
import type { ProblemBody } from '../../../../shared/problems.ts';
import type { Me, ProviderName } from '../../contract.ts';
import { profileLimits } from '../../profile/contract.ts';

/** A refusal of our API in the visitor's words, or a lost connection (`offline`). */
export class Refusal extends Error {
  readonly code: ProblemBody['code'] | 'offline';
  constructor(code: ProblemBody['code'] | 'offline', text: string) {
    super(text);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** The text of whatever a request threw. */
export const textOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : 'Something went wrong. Please try again.';

async function request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { method, ...init }).catch(() => {
    throw new Refusal('offline', 'The connection was lost. Please check it and try again.');
  });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
  if (response.status === 413 && body.code === undefined && init.body instanceof Blob)
    throw new Refusal('too_large', refusedOnTheWay(init.body.size, profileLimits.avatarBytes));
  const text = body.error ?? 'Something went wrong. Please try again.';
  if (response.status === 401) {
    document.dispatchEvent(new CustomEvent('auth:lost'));
    askToSignIn('You were signed out here. Sign in to go on.');
  }
  throw new Refusal(body.code ?? 'internal', text);
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The shell's dialog; afterwards the page hears `auth:changed`. */
export function askToSignIn(reason: string): void {
  document.dispatchEvent(new CustomEvent('sign-in:open', { detail: { next: '/settings', reason } }));
}

/** A line at the edge of the page for what has been done. */
export function toast(text: string): void {
  document.dispatchEvent(new CustomEvent('toast', { detail: { text, kind: 'success' } }));
}

/** Tells the shell what of the person has changed. */
export function tellShell(change: Partial<Me>): void {
  document.dispatchEvent(new CustomEvent('me:changed', { detail: change }));
}

// Each throws Refusal.
export const rename = async (name: string): Promise<Me> =>
  (await request('PATCH', '/api/me', json({ name }))).json();
export const putAvatar = async (file: Blob, type: string): Promise<Me> =>
  (await request('PUT', '/api/me/avatar', { headers: { 'content-type': type }, body: file })).json();
export const removeAvatar = () => request('DELETE', '/api/me/avatar');
export const endSession = (id: string) => request('DELETE', `/api/me/sessions/${id}`);
export const endOtherSessions = () => request('DELETE', '/api/me/sessions');
/** One that is not linked any more is what was wanted. */
export const removeProvider = (name: ProviderName) =>
  request('DELETE', `/api/me/identities/${name}`).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  });
export const deleteAccount = (confirm: string) => request('DELETE', '/api/me', json({ confirm }));

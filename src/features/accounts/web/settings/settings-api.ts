import { notifySignedOut, openSignIn } from '#client/page-events.ts';
import { uploadTooLarge } from '#client/upload.ts';
import { m } from '#messages';
import type { ProblemBody } from '#shared/problem-codes.ts';
import type { Me, ProviderName } from '../../contract.ts';
import { profileLimits } from '../../profile/profile-contract.ts';

export class RequestRefused extends Error {
  readonly code: ProblemBody['code'] | 'offline';
  constructor(code: ProblemBody['code'] | 'offline', text: string) {
    super(text);
    this.name = 'Refusal';
    this.code = code;
  }
}

export const errorText = (error: unknown): string =>
  error instanceof RequestRefused ? error.message : m.common_failed();

async function request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { method, ...init }).catch(() => {
    throw new RequestRefused('offline', m.common_connection_lost());
  });
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
  if (response.status === 413 && body.code === undefined && init.body instanceof Blob)
    throw new RequestRefused('too_large', uploadTooLarge(init.body.size, profileLimits.avatarBytes));
  const text = body.error ?? m.common_failed();
  if (response.status === 401) {
    notifySignedOut();
    promptSignIn(m.common_signed_out());
  }
  throw new RequestRefused(body.code ?? 'internal', text);
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const promptSignIn = (reason: string): void => openSignIn({ next: '/settings', reason });

export const rename = async (name: string): Promise<Me> =>
  (await request('PATCH', '/api/me', json({ name }))).json();
export const putAvatar = async (file: Blob, type: string): Promise<Me> =>
  (await request('PUT', '/api/me/avatar', { headers: { 'content-type': type }, body: file })).json();
export const removeAvatar = () => request('DELETE', '/api/me/avatar');
export const endSession = (id: string) => request('DELETE', `/api/me/sessions/${id}`);
export const endOtherSessions = () => request('DELETE', '/api/me/sessions');
/** A provider that is not linked any more is what was wanted. */
export const removeProvider = (name: ProviderName) =>
  request('DELETE', `/api/me/identities/${name}`).catch((error: unknown) => {
    if (!(error instanceof RequestRefused) || error.code !== 'not_found') throw error;
  });
export const deleteAccount = (confirm: string) => request('DELETE', '/api/me', json({ confirm }));

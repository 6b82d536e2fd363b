import { json, request } from '#client/api-request.ts';
import { explainTooLarge } from '#client/explain-too-large.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { ApiKey, CreatedKey, CreateKey } from '../../api-keys/api-keys-contract.ts';
import type { Me, ProviderName } from '../../contract.ts';
import type { Instructions } from '../../instructions/instructions-contract.ts';
import type { Memory, MemoryNote } from '../../instructions/memory-contract.ts';
import { profileLimits } from '../../profile/profile-contract.ts';

const remove = (path: string) => request(path, { method: 'DELETE' });

export const rename = (name: string) => request<Me>('/api/me', json('PATCH', { name }));
export const uploadAvatar = (file: Blob, type: string) =>
  request<Me>('/api/me/avatar', { method: 'PUT', headers: { 'content-type': type }, body: file }).catch(
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      throw explainTooLarge(error, file.size, profileLimits.avatarBytes);
    },
  );
export const saveInstructions = (instructions: Instructions) =>
  request<Instructions>('/api/me/instructions', json('PUT', instructions));
export const switchMemory = (enabled: boolean) => request<Memory>('/api/me/memory', json('PUT', { enabled }));
export const addNote = (text: string) => request<MemoryNote>('/api/me/memory', json('POST', { text }));
export const changeNote = (id: string, text: string) =>
  request<MemoryNote>(`/api/me/memory/${id}`, json('PATCH', { text }));
export const removeNote = (id: string) => remove(`/api/me/memory/${id}`);
export const createApiKey = (key: CreateKey) => request<CreatedKey>('/api/me/api-keys', json('POST', key));
export const changeApiKey = (id: string, key: CreateKey) =>
  request<ApiKey>(`/api/me/api-keys/${id}`, json('PATCH', key));
export const revokeApiKey = (id: string) => remove(`/api/me/api-keys/${id}`);
export const removeAvatar = () => remove('/api/me/avatar');
export const endSession = (id: string) => remove(`/api/me/sessions/${id}`);
export const endOtherSessions = () => remove('/api/me/sessions');
/** A provider that is no longer linked counts as removed. */
export const removeProvider = (name: ProviderName) =>
  remove(`/api/me/identities/${name}`).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.body.code !== 'not_found') throw error;
  });
export const deleteAccount = (confirm: string) => request('/api/me', json('DELETE', { confirm }));

import { json, request } from '#client/api-request.ts';
import { toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { WithFiles } from '../../knowledge/knowledge-contract.ts';
import type { OwnAssistant, OwnAssistantRow } from '../../own-assistants/own-assistants-contract.ts';
import type { KnowledgeRequests } from '../knowledge/knowledge-uploads.ts';
import { broadcastChange } from '../projects/project-requests.ts';
import { reportFailure } from '../state/offer-undo.ts';

type AssistantFields = Omit<OwnAssistant, 'id'>;

export const fetchAssistants = () => request<{ assistants: OwnAssistantRow[] }>('/api/assistants');

export const fetchAssistant = (id: string) => request<WithFiles<OwnAssistant>>(`/api/assistants/${id}`);

export const createAssistant = (id: string, fields: AssistantFields) =>
  request<WithFiles<OwnAssistant>>('/api/assistants', json('POST', { id, ...fields }));

export const changeAssistant = (id: string, fields: AssistantFields) =>
  request<WithFiles<OwnAssistant>>(`/api/assistants/${id}`, json('PATCH', fields));

export const assistantFiles = (id: string): KnowledgeRequests => ({
  add: (fileId) => request(`/api/assistants/${id}/files/${fileId}`, { method: 'PUT' }),
  remove: (fileId) => request<void>(`/api/assistants/${id}/files/${fileId}`, { method: 'DELETE' }),
});

/** Sets the assistant of a chat, and makes every tab reload it. */
export async function chooseAssistant(chatId: string, assistant: string): Promise<void> {
  await request<void>('/api/chats/assistant', json('PUT', { chatId, assistant }));
  broadcastChange();
}

/** Offers to undo the deletion; calls `onChange` after each of the two. Errors are shown. */
export async function deleteAssistant({ id, name }: OwnAssistantRow, onChange: () => void): Promise<void> {
  try {
    await request<void>(`/api/assistants/${id}`, { method: 'DELETE' });
  } catch (error) {
    reportFailure(error);
    return;
  }
  onChange();
  const restore = () => request(`/api/assistants/${id}/restore`, { method: 'POST' });
  const run = () => void restore().then(onChange).catch(showError);
  toast({
    text: m.assistant_deleted({ name }),
    action: { label: m.common_undo(), run },
    durationMs: undoTime,
  });
}

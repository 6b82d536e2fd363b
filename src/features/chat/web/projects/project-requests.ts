import { json, request } from '#client/api-request.ts';
import { toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChatPage, ChatRow, SelectionAction } from '../../contract.ts';
import type { WithFiles } from '../../knowledge/knowledge-contract.ts';
import type { Project, ProjectRow } from '../../projects/projects-contract.ts';
import type { KnowledgeRequests } from '../knowledge/knowledge-uploads.ts';
import { reportFailure } from '../state/offer-undo.ts';

type ProjectFields = Pick<Project, 'name' | 'instructions'>;

/** Makes every tab, including this one, reload from the server. */
export function broadcastChange(): void {
  const tabs = new BroadcastChannel('chats');
  tabs.postMessage({ chatId: '', running: false, titled: false, gone: false, pinned: false });
  tabs.close();
}

export const actOnChats = (ids: string[], act: SelectionAction, projectId?: string | null) =>
  request<{ chats: ChatRow[] }>('/api/chats/selection', json('POST', { ids, act, projectId }));

/** Ids of chats, grouped by their project. */
export type ChatsByProject = ReadonlyMap<string | null, string[]>;

/** @returns the chats after the move, a text about it, and a function that undoes it */
export async function moveChats(before: ChatsByProject, to: ProjectRow | null) {
  const ids = [...before.values()].flat();
  const { chats } = await actOnChats(ids, 'move', to?.id ?? null);
  broadcastChange();
  const undo = async () => {
    const rows: ChatRow[] = [];
    for (const [projectId, chatIds] of before)
      rows.push(...(await actOnChats(chatIds, 'move', projectId)).chats);
    broadcastChange();
    return rows;
  };
  const count = ids.length;
  const text = to ? m.project_moved({ count, name: to.name }) : m.project_moved_out({ count });
  return { chats, text, undo };
}

export const fetchProjects = async () =>
  (await request<{ projects: ProjectRow[] }>('/api/projects')).projects;

export const fetchProject = (id: string) => request<WithFiles<Project>>(`/api/projects/${id}`);

export const fetchProjectChats = (id: string, before: string | null) =>
  request<Omit<ChatPage, 'projects'>>(
    `/api/chats?${new URLSearchParams({ project: id, ...(before === null ? {} : { before }) })}`,
  );

export async function createProject(
  id: string,
  fields: Partial<ProjectFields> & { name: string },
): Promise<WithFiles<Project>> {
  const project = await request<WithFiles<Project>>('/api/projects', json('POST', { id, ...fields }));
  broadcastChange();
  return project;
}

export async function changeProject(id: string, fields: ProjectFields): Promise<WithFiles<Project>> {
  const project = await request<WithFiles<Project>>(`/api/projects/${id}`, json('PATCH', fields));
  broadcastChange();
  return project;
}

async function restoreProject(id: string): Promise<void> {
  await request<WithFiles<Project>>(`/api/projects/${id}/restore`, { method: 'POST' });
  broadcastChange();
}

/** Offers to undo it. Returns whether it succeeded; errors are shown. */
export async function deleteProject({ id, name }: ProjectRow): Promise<boolean> {
  try {
    await request<void>(`/api/projects/${id}`, { method: 'DELETE' });
  } catch (error) {
    reportFailure(error);
    return false;
  }
  broadcastChange();
  const run = () => void restoreProject(id).catch(showError);
  toast({ text: m.project_deleted({ name }), action: { label: m.common_undo(), run }, durationMs: undoTime });
  return true;
}

export const projectFiles = (id: string): KnowledgeRequests => ({
  add: (fileId) => request(`/api/projects/${id}/files/${fileId}`, { method: 'PUT' }),
  remove: (fileId) => request<void>(`/api/projects/${id}/files/${fileId}`, { method: 'DELETE' }),
});

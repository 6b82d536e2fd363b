import { json, request } from '#client/api-request.ts';
import { toast } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChatPage } from '../../contract.ts';
import type { Project, ProjectRow } from '../../projects/projects-contract.ts';
import { tellFailure, undoTime } from '../state/offer-undo.ts';

type Written = Pick<Project, 'name' | 'instructions'>;

/** Every tab, this one too, asks the server what there is now. */
export function announceChange(): void {
  const tabs = new BroadcastChannel('chats');
  tabs.postMessage({ chatId: '', running: false, titled: false, gone: false, pinned: false });
  tabs.close();
}

export const fetchProject = (id: string) => request<Project>(`/api/projects/${id}`);

export const fetchProjectChats = (id: string, before: string | null) =>
  request<Omit<ChatPage, 'projects'>>(
    `/api/chats?${new URLSearchParams({ project: id, ...(before === null ? {} : { before }) })}`,
  );

export async function createProject(
  id: string,
  written: Partial<Written> & { name: string },
): Promise<Project> {
  const project = await request<Project>('/api/projects', json('POST', { id, ...written }));
  announceChange();
  return project;
}

export async function changeProject(id: string, written: Written): Promise<Project> {
  const project = await request<Project>(`/api/projects/${id}`, json('PATCH', written));
  announceChange();
  return project;
}

async function restoreProject(id: string): Promise<void> {
  await request<Project>(`/api/projects/${id}/restore`, { method: 'POST' });
  announceChange();
}

/** Offers to undo it. Whether it was done; what went wrong is told. */
export async function deleteProject({ id, name }: ProjectRow): Promise<boolean> {
  try {
    await request<void>(`/api/projects/${id}`, { method: 'DELETE' });
  } catch (error) {
    tellFailure(error);
    return false;
  }
  announceChange();
  const run = () => void restoreProject(id).catch(showError);
  toast({ text: m.project_deleted({ name }), action: { label: m.common_undo(), run }, lasts: undoTime });
  return true;
}

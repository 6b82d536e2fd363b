import { download } from '#client/download.ts';
import { m } from '#messages';
import type { ProjectRow } from '../../projects/projects-contract.ts';
import { actOnChats, type ChatsByProject, moveChats } from '../projects/project-requests.ts';
import { offerUndo, reportFailure } from './offer-undo.ts';
import type { ControlParts } from './send-message.ts';

/** `to`: the project to move them to; null takes them out of theirs. */
export type SelectionChange = 'archive' | 'delete' | { to: ProjectRow | null };

const actions = {
  archive: { undoAct: 'unarchive', done: m.chat_selection_archived },
  delete: { undoAct: 'restore', done: m.chat_selection_deleted },
} as const;

/** Groups the chats by their project. */
function byProject({ latest }: ControlParts, ids: string[]): ChatsByProject {
  const { chats, open } = latest.current;
  const groups = new Map<string | null, string[]>();
  for (const id of ids) {
    const listed = chats.find((row) => row.id === id)?.projectId ?? null;
    const project = id === open.id ? (open.project?.id ?? null) : listed;
    groups.set(project, [...(groups.get(project) ?? []), id]);
  }
  return groups;
}

async function moveSelection(parts: ControlParts, ids: string[], to: ProjectRow | null): Promise<void> {
  const { chats, text, undo } = await moveChats(byProject(parts, ids), to);
  for (const row of chats) parts.dispatch({ type: 'arranged', row });
  offerUndo(parts, { text, undo, closedChatId: null });
}

async function arrangeSelection(
  parts: ControlParts,
  ids: string[],
  act: 'archive' | 'delete',
): Promise<void> {
  const { latest, dispatch } = parts;
  const { undoAct, done } = actions[act];
  const openId = latest.current.open.id;
  const { chats } = await actOnChats(ids, act);
  for (const row of chats) dispatch({ type: 'arranged', row });
  if (act === 'delete') for (const chatId of ids) dispatch({ type: 'removed', chatId });
  offerUndo(parts, {
    text: done({ count: ids.length }),
    undo: async () => (await actOnChats(ids, undoAct)).chats,
    closedChatId: ids.includes(openId) ? openId : null,
  });
}

/** Returns whether it succeeded; errors are shown. */
export async function actOnSelection(
  parts: ControlParts,
  ids: string[],
  change: SelectionChange,
): Promise<boolean> {
  try {
    if (typeof change === 'string') await arrangeSelection(parts, ids, change);
    else await moveSelection(parts, ids, change.to);
    return true;
  } catch (error) {
    reportFailure(error);
    return false;
  }
}

export const exportSelection = (ids: string[]) =>
  ids.length === 1
    ? download(`/api/chats/${ids[0]}/export?format=md`)
    : download(`/api/chats/export?format=md&ids=${ids.join(',')}`);

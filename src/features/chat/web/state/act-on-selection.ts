import { download } from '#client/download.ts';
import { m } from '#messages';
import type { ProjectRow } from '../../projects/projects-contract.ts';
import { actOnChats, type ChatsByProject, moveChats } from '../projects/project-requests.ts';
import { offerUndo, tellFailure } from './offer-undo.ts';
import type { ControlParts } from './send-message.ts';

/** `to`: the project to move them to; null takes them out of theirs. */
export type SelectionChange = 'archive' | 'delete' | { to: ProjectRow | null };

const acts = {
  archive: { back: 'unarchive', done: m.chat_selection_archived },
  delete: { back: 'restore', done: m.chat_selection_deleted },
} as const;

/** Groups the chats by their project. */
function byProject({ latest }: ControlParts, ids: string[]): ChatsByProject {
  const { chats, open } = latest.current;
  const found = new Map<string | null, string[]>();
  for (const id of ids) {
    const listed = chats.find((row) => row.id === id)?.projectId ?? null;
    const project = id === open.id ? (open.project?.id ?? null) : listed;
    found.set(project, [...(found.get(project) ?? []), id]);
  }
  return found;
}

async function moveSelection(parts: ControlParts, ids: string[], to: ProjectRow | null): Promise<void> {
  const { chats, text, undo } = await moveChats(byProject(parts, ids), to);
  for (const row of chats) parts.dispatch({ type: 'arranged', row });
  offerUndo(parts, { text, undo, closed: null });
}

async function arrangeSelection(
  parts: ControlParts,
  ids: string[],
  what: 'archive' | 'delete',
): Promise<void> {
  const { latest, dispatch } = parts;
  const { back, done } = acts[what];
  const openId = latest.current.open.id;
  const { chats } = await actOnChats(ids, what);
  for (const row of chats) dispatch({ type: 'arranged', row });
  if (what === 'delete') for (const chatId of ids) dispatch({ type: 'removed', chatId });
  offerUndo(parts, {
    text: done({ count: ids.length }),
    undo: async () => (await actOnChats(ids, back)).chats,
    closed: ids.includes(openId) ? openId : null,
  });
}

/** Returns whether it succeeded; errors are shown. */
export async function actOnSelection(
  parts: ControlParts,
  ids: string[],
  what: SelectionChange,
): Promise<boolean> {
  try {
    if (typeof what === 'string') await arrangeSelection(parts, ids, what);
    else await moveSelection(parts, ids, what.to);
    return true;
  } catch (error) {
    tellFailure(error);
    return false;
  }
}

export const exportSelection = (ids: string[]) =>
  ids.length === 1
    ? download(`/api/chats/${ids[0]}/export?format=md`)
    : download(`/api/chats/export?format=md&ids=${ids.join(',')}`);

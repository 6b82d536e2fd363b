import { type ComponentProps, useEffect, useState } from 'react';
import { toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { ProjectChooser } from '#features/chat/web/projects/project-chooser.tsx';
import { fetchProjects, moveChats } from '#features/chat/web/projects/project-requests.ts';
import { m } from '#messages';
import type { LibraryItem } from '../contract.ts';
import type { ProjectOfItem } from './use-library-listing.ts';

type Chooser = ComponentProps<typeof ProjectChooser>;

interface MoveItemsProps {
  /** Only the chats among them are moved. */
  items: LibraryItem[];
  onMoved: (projects: ReadonlyMap<string, ProjectOfItem>) => void;
  onClose: () => void;
}

export default function MoveItems({ items, onMoved, onClose }: MoveItemsProps) {
  const [projects, setProjects] = useState<Chooser['projects'] | null>(null);
  const chats = items.filter(({ kind }) => kind === 'chat');
  const currentId = chats.every(({ projectId }) => projectId === chats[0]?.projectId)
    ? chats[0]?.projectId
    : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once per dialog
  useEffect(() => {
    fetchProjects().then(setProjects, (error: unknown) => {
      showError(error);
      onClose();
    });
  }, []);
  const move: Chooser['move'] = async (to) => {
    try {
      const byProject = Map.groupBy(chats, ({ projectId }) => projectId);
      const ids = new Map([...byProject].map(([project, group]) => [project, group.map(({ id }) => id)]));
      const { text, undo } = await moveChats(ids, to);
      const moved = { projectId: to?.id ?? null, projectName: to?.name ?? null };
      onMoved(new Map(chats.map(({ id }) => [id, moved])));
      const onUndo = () =>
        void undo().then(() => onMoved(new Map(chats.map((chat) => [chat.id, chat]))), showError);
      toast({ text, action: { label: m.common_undo(), run: onUndo }, durationMs: undoTime });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };
  if (!projects) return null;
  return (
    <ProjectChooser
      projects={projects}
      current={currentId}
      note={chats.length < items.length ? <p>{m.library_move_note({ count: chats.length })}</p> : null}
      move={move}
      onClose={onClose}
    />
  );
}

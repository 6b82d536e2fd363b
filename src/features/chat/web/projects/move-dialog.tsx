import type { ChatProps } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';
import { ProjectChooser } from './project-chooser.tsx';

/** Returns undefined if the chats are in several projects. */
function commonProject({ chats, open }: ChatState, ids: string[]): string | null | undefined {
  const all = ids.map((id) =>
    id === open.id ? (open.project?.id ?? null) : (chats.find((row) => row.id === id)?.projectId ?? null),
  );
  return all.every((each) => each === all[0]) ? all[0] : undefined;
}

export default function MoveDialog({ state, controls }: ChatProps) {
  const moveDialog = state.dialog?.kind === 'move' ? state.dialog : null;
  if (!moveDialog) return null;
  return (
    <ProjectChooser
      projects={state.projects}
      current={commonProject(state, moveDialog.ids)}
      move={(to) => controls.actOnSelection(moveDialog.ids, { to })}
      onMoved={moveDialog.onMoved}
      onClose={() => controls.show(null)}
    />
  );
}

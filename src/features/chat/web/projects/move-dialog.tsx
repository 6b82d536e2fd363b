import type { ChatProps } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';
import { ProjectChooser } from './project-chooser.tsx';

/** Returns undefined if the chats are in several projects. */
function projectOfAll({ chats, open }: ChatState, ids: string[]): string | null | undefined {
  const all = ids.map((id) =>
    id === open.id ? (open.project?.id ?? null) : (chats.find((row) => row.id === id)?.projectId ?? null),
  );
  return all.every((each) => each === all[0]) ? all[0] : undefined;
}

export default function MoveDialog({ state, controls }: ChatProps) {
  const asked = state.dialog?.kind === 'move' ? state.dialog : null;
  if (!asked) return null;
  return (
    <ProjectChooser
      projects={state.projects}
      now={projectOfAll(state, asked.ids)}
      move={(to) => controls.actOnSelection(asked.ids, { to })}
      onMoved={asked.onMoved}
      onClose={() => controls.show(null)}
    />
  );
}

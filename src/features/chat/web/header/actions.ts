import { type LucideIcon, Pencil, RotateCcw, Square, SquarePen, Trash2 } from 'lucide-react';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { waysOn } from '../turns/marks.ts';

/** Something that can be done with the open chat. */
export interface HeadAction {
  id: 'rename' | 'reply' | 'edit' | 'delete';
  name: string;
  Icon: LucideIcon;
  run: () => void;
  disabled?: boolean;
  /** Shown on phones too, beside the menu. */
  always?: boolean;
}

/** Stop while a reply runs, else another try at the last one; both are one button, so that nothing moves. */
function replyAction(state: ChatState, controls: ChatControls): HeadAction | null {
  const live = liveTurn(state);
  const last = state.open.turns.at(-1);
  if (live)
    return {
      id: 'reply',
      name: 'Stop',
      Icon: Square,
      run: controls.stop,
      disabled: live.stopping === true,
      always: true,
    };
  if (last?.role !== 'assistant' || state.open.newer !== null) return null;
  const { again } = waysOn(last);
  if (!again) return null;
  const run = () => (again.goesOn ? controls.goOn(last) : controls.again(last));
  return { id: 'reply', name: again.label, Icon: RotateCcw, run };
}

/** What the header offers for the open chat; nothing before its first message. */
export function headActions(
  state: ChatState,
  controls: ChatControls,
  /** Begins to rename; null while that is under way. */
  rename: (() => void) | null,
): HeadAction[] {
  const { id, turns, stored, newer } = state.open;
  if (turns.length === 0) return [];
  const question = turns.findLast((turn) => turn.role === 'user');
  const actions: (HeadAction | null)[] = [
    {
      id: 'rename',
      name: 'Rename',
      Icon: Pencil,
      run: () => rename?.(),
      disabled: !stored || rename === null,
    },
    replyAction(state, controls),
    question && newer === null
      ? {
          id: 'edit',
          name: 'Edit last',
          Icon: SquarePen,
          run: () => controls.edit(question),
          disabled: question.unsent === true || liveTurn(state) !== undefined,
        }
      : null,
    { id: 'delete', name: 'Delete', Icon: Trash2, run: () => void controls.remove(id), disabled: !stored },
  ];
  return actions.filter((action) => action !== null);
}

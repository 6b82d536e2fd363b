import { type LucideIcon, Pencil, RotateCcw, Square, SquarePen, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { replyOptions } from '../message/reply-status.ts';
import { isApple } from '../shortcuts/shortcuts.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { type ChatState, liveMessage } from '../state/chat-state.ts';

export interface HeaderAction {
  id: 'rename' | 'reply' | 'edit' | 'delete';
  name: string;
  Icon: LucideIcon;
  run: () => void;
  disabled?: boolean;
  always?: boolean;
}

/** Stop and another try are one button, so that nothing moves. */
function replyAction(state: ChatState, controls: ChatControls): HeaderAction | null {
  const live = liveMessage(state);
  const last = state.open.messages.at(-1);
  if (live)
    return {
      id: 'reply',
      name: m.common_stop(),
      Icon: Square,
      run: controls.stop,
      disabled: live.stopping === true,
      always: true,
    };
  if (last?.role !== 'assistant' || state.open.newer !== null) return null;
  const { again } = replyOptions(last);
  if (!again) return null;
  const run = () => (again.goesOn ? controls.goOn(last) : controls.again(last));
  return { id: 'reply', name: again.label, Icon: RotateCcw, run };
}

export function headerActions(
  state: ChatState,
  controls: ChatControls,
  rename: (() => void) | null,
): HeaderAction[] {
  const { id, messages: turns, stored, newer } = state.open;
  if (turns.length === 0) return [];
  const question = turns.findLast((turn) => turn.role === 'user');
  const actions: (HeaderAction | null)[] = [
    {
      id: 'rename',
      name: m.common_rename(),
      Icon: Pencil,
      run: () => rename?.(),
      disabled: !stored || rename === null,
    },
    replyAction(state, controls),
    question && newer === null
      ? {
          id: 'edit',
          name: m.chat_edit_last(),
          Icon: SquarePen,
          run: () => controls.edit(question),
          disabled: question.unsent === true || liveMessage(state) !== undefined,
        }
      : null,
    {
      id: 'delete',
      name: m.common_delete(),
      Icon: Trash2,
      run: () => void controls.remove(id),
      disabled: !stored,
    },
  ];
  return actions.filter((action) => action !== null);
}

const isPrintKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'p' &&
  (isApple() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

/** What is not in the page is loaded first, for the browser's own key too. */
export function usePrintChat({ open }: ChatState, controls: ChatControls): () => void {
  const [wanted, setWanted] = useState<string | null>(null);
  const isWhole = open.older === null && open.newer === null;
  useEffect(() => {
    if (wanted === null || (wanted === open.id && !isWhole)) return;
    setWanted(null);
    if (wanted === open.id) print();
  }, [wanted, open.id, isWhole]);

  const begin = () => {
    if (wanted !== null) return;
    setWanted(open.id);
    if (!isWhole) controls.loadAll().then((done) => done || setWanted(null));
  };
  const latest = useRef({ isWhole, begin });
  latest.current = { isWhole, begin };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPrintKey(event) || latest.current.isWhole) return;
      event.preventDefault();
      latest.current.begin();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return begin;
}

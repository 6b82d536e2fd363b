import { notifySignedOut, toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChatRow } from '../../contract.ts';
import { type ControlParts, isExpired } from './send-message.ts';

export function tellFailure(error: unknown): void {
  if (isExpired(error)) notifySignedOut();
  showError(error);
}

interface Undoable {
  text: string;
  /** @returns the restored chats */
  undo: () => Promise<ChatRow[]>;
  /** Id of the open chat, if the action closes it. */
  closed: string | null;
}

/** Shows what was done, and leaves the closed chat. Undo opens it again. */
export function offerUndo({ dispatch, navigate }: ControlParts, { text, undo, closed }: Undoable): void {
  if (closed !== null) void navigate('/chat/new');
  const run = async () => {
    try {
      for (const row of await undo()) dispatch({ type: 'arranged', row });
      if (closed !== null) void navigate(`/chat/${closed}`);
    } catch (error) {
      tellFailure(error);
    }
  };
  toast({ text, action: { label: m.common_undo(), run: () => void run() }, lasts: undoTime });
}

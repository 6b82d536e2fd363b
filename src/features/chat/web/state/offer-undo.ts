import { notifySignedOut, toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import type { ChatRow } from '../../contract.ts';
import { type ControlParts, isExpired } from './send-message.ts';

export function reportFailure(error: unknown): void {
  if (isExpired(error)) notifySignedOut();
  showError(error);
}

interface Undoable {
  text: string;
  /** @returns the restored chats */
  undo: () => Promise<ChatRow[]>;
  /** Id of the open chat, if the action closes it. */
  closedChatId: string | null;
}

/** Shows what was done, and leaves the closed chat. Undo opens it again. */
export function offerUndo(
  { dispatch, navigate }: ControlParts,
  { text, undo, closedChatId }: Undoable,
): void {
  if (closedChatId !== null) void navigate('/chat/new');
  const run = async () => {
    try {
      for (const row of await undo()) dispatch({ type: 'arranged', row });
      if (closedChatId !== null) void navigate(`/chat/${closedChatId}`);
    } catch (error) {
      reportFailure(error);
    }
  };
  toast({ text, action: { label: m.common_undo(), run: () => void run() }, durationMs: undoTime });
}

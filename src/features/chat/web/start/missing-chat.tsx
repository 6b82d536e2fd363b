import { Plus, Undo2 } from 'lucide-react';
import { Link } from 'react-router';
import type { ChatState } from '../state/chat-state.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

interface MissingProps extends Pick<ChatState, 'deleted'> {
  onRestore: (chatId: string) => void;
}

/** For the address of a chat that is somebody else's or no longer there; one's own can be brought back for some days. */
export function MissingChat({ deleted, onRestore }: MissingProps) {
  return (
    <div className="chat-pane chat-missing">
      <h2 className="h3">
        {deleted ? 'This chat was deleted.' : 'This chat does not exist or is not yours.'}
      </h2>
      <p className="muted">
        {deleted ? (
          <>
            <bdi>“{deleted.title}”</bdi> can still be restored.
          </>
        ) : (
          'It may have been deleted, or it belongs to another account.'
        )}
      </p>
      <p className="chat-missing-actions">
        {deleted ? (
          <button type="button" className="btn btn-primary" onClick={() => onRestore(deleted.id)}>
            <Undo2 {...icon} />
            Restore
          </button>
        ) : null}
        <Link className="btn btn-secondary" to="/chat/new">
          <Plus {...icon} />
          New chat
        </Link>
      </p>
    </div>
  );
}

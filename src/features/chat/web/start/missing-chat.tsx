import { Plus } from 'lucide-react';
import { Link } from 'react-router';

/** For the address of a chat that is somebody else's or no longer there. */
export function MissingChat() {
  return (
    <div className="chat-pane chat-missing">
      <h2 className="h3">This chat does not exist or is not yours.</h2>
      <p className="muted">It may have been deleted, or it belongs to another account.</p>
      <p>
        <Link className="btn btn-secondary" to="/chat/new">
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          New chat
        </Link>
      </p>
    </div>
  );
}

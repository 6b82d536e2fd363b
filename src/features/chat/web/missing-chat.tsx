import { Plus, Undo2 } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#messages';
import { Button, buttonClass } from '#ui/button.tsx';
import type { ChatProps } from './state/chat-controls.ts';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

export default function MissingChat({ state: { deleted }, controls }: ChatProps) {
  return (
    <div className="chat-pane chat-missing grid content-center gap-3 overflow-y-auto">
      <h2 className="h3">{deleted ? m.chat_missing_deleted() : m.chat_missing_title()}</h2>
      <p className="muted">
        {deleted ? m.chat_missing_restorable({ title: deleted.title }) : m.tools_missing()}
      </p>
      <p className="flex flex-wrap gap-2">
        {deleted ? (
          <Button variant="primary" onClick={() => controls.restore(deleted.id)}>
            <Undo2 {...icon} />
            {m.common_restore()}
          </Button>
        ) : null}
        <Link className={buttonClass()} to="/chat/new">
          <Plus {...icon} />
          {m.chat_new()}
        </Link>
      </p>
    </div>
  );
}

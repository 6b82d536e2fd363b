import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { Turn } from '../state/chat-state.ts';

const ReplyFacts = lazy(() => import('./reply-facts.tsx'));

/** A button that opens what else there is to know of a reply; the content is made when it is first wanted. */
export function ReplyMenu({ turn }: { turn: Turn }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={open ? 'turn-button turn-icon turn-menu-open' : 'turn-button turn-icon'}
        aria-label="About this reply"
        popoverTarget={id}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div
        id={id}
        className="menu turn-menu"
        popover="auto"
        role="dialog"
        aria-label="About this reply"
        onBeforeToggle={(event) => {
          if (event.newState === 'open') setOpen(true);
        }}
        // Only afterwards has the button the focus again.
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open ? (
          <Suspense>
            <ReplyFacts turn={turn} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}

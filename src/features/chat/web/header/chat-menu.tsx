import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ChatControls } from '../state/controls.ts';
import type { HeadAction } from './actions.ts';

const MenuItems = lazy(() => import('./menu-items.tsx'));
const menuId = 'chat-menu';

interface ChatMenuProps {
  chatId: string;
  stored: boolean;
  actions: HeadAction[];
  controls: ChatControls;
  onPrint: () => void;
}

/** The menu of the open chat; its contents come when it is first looked at. */
export function ChatMenu(props: ChatMenuProps) {
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-icon chat-menu-button"
        popoverTarget={menuId}
        aria-label="More for this chat"
        onPointerEnter={want}
        onFocus={want}
        onClick={want}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <div id={menuId} className="menu chat-menu" popover="auto">
        {wanted ? (
          <Suspense fallback={<p className="menu-text muted">Loading…</p>}>
            <MenuItems {...props} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}

import { PanelLeft, Plus, Search } from 'lucide-react';
import { type MouseEvent, memo, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn } from '../state/sending.ts';
import { useDrawer } from './drawer.ts';
import { PlanBox } from './plan-box.tsx';
import { RecentChats } from './recent-chats.tsx';
import { ToolList } from './tool-list.tsx';
import './sidebar.css';

export const sidebarId = 'chat-sidebar';

interface SidebarProps {
  state: ChatState;
  controls: ChatControls;
}

const signIn = () => openSignIn('/chat/new');
const prefetchSearch = () => void import('../search/search-dialog.tsx');
const never = () => () => undefined;
const isApple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

function SearchButton({ controls }: Pick<SidebarProps, 'controls'>) {
  const apple = useSyncExternalStore(never, isApple, () => false);
  return (
    <button
      type="button"
      className="chat-search-open"
      aria-keyshortcuts={apple ? 'Meta+K' : 'Control+K'}
      onPointerEnter={prefetchSearch}
      onFocus={prefetchSearch}
      onClick={() => controls.show({ kind: 'search' })}
    >
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      Search chats
      <span className="kbd" aria-hidden="true">
        {apple ? '⌘K' : 'Ctrl K'}
      </span>
    </button>
  );
}

interface HeadProps {
  guest: boolean;
  onOpen: () => void;
}

function SideHead({ guest, onOpen }: HeadProps) {
  const begin = (event: MouseEvent) => {
    if (!guest) return onOpen();
    event.preventDefault();
    signIn();
  };
  return (
    <div className="chat-side-head">
      <Link className="btn btn-secondary" to="/chat/new" onClick={begin}>
        <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
        New Chat
      </Link>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        popoverTarget={sidebarId}
        popoverTargetAction="hide"
        aria-label="Hide sidebar"
        title="Hide sidebar"
      >
        <PanelLeft size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/** Tools, chats and plan: a column beside the conversation, on narrow screens a popover that slides over it. */
export const Sidebar = memo(function Sidebar({ state, controls }: SidebarProps) {
  const { me, chats, next, now } = state;
  const { id: openId, stored, assistant } = state.open;
  const box = useRef<HTMLElement>(null);
  const place = stored ? openId : `new ${assistant}`;
  useDrawer(box);
  const close = useCallback(() => {
    if (box.current?.matches(':popover-open')) box.current.hidePopover();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat closes the drawer
  useEffect(close, [place, close]);
  const upgrade = useCallback(() => controls.show({ kind: 'upgrade', cause: 'asked' }), [controls]);
  return (
    <aside ref={box} id={sidebarId} popover="auto" className="chat-side" aria-label="Chats">
      <SideHead guest={me === null} onOpen={close} />
      {me ? <SearchButton controls={controls} /> : null}
      <div className="chat-side-lists">
        <ToolList
          me={me}
          assistants={state.assistants}
          toolPages={state.toolPages}
          chosen={stored ? null : assistant}
        />
        <RecentChats {...{ chats, next, openId, now, controls }} onOpen={close} />
      </div>
      <PlanBox me={me} onSignIn={signIn} onUpgrade={upgrade} />
    </aside>
  );
});

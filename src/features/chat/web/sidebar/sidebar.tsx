import { PanelLeft, Plus, Search } from 'lucide-react';
import { type MouseEvent, memo, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link, useNavigate } from 'react-router';
import { isApple, keysOf, shortcuts } from '../shortcuts/keys.ts';
import { shortcutsOn } from '../shortcuts/setting.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn } from '../state/sending.ts';
import { type GoTo, useDrawer } from './drawer.ts';
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
const searchKeys = shortcuts.find(({ name }) => name === 'search');
/** The keys of the search, '' where they are turned off. */
const keysNow = () => (searchKeys && shortcutsOn() ? keysOf(searchKeys, isApple()).join(' ') : '');

function SearchButton({ controls }: Pick<SidebarProps, 'controls'>) {
  const keys = useSyncExternalStore(never, keysNow, () => 'Ctrl K');
  return (
    <button
      type="button"
      className="chat-search-open"
      aria-keyshortcuts={keys === '' ? undefined : keys.startsWith('Cmd') ? 'Meta+K' : 'Control+K'}
      onPointerEnter={prefetchSearch}
      onFocus={prefetchSearch}
      onClick={() => controls.show({ kind: 'search' })}
    >
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      Search chats
      {keys === '' ? null : (
        <span className="kbd" aria-hidden="true">
          {keys}
        </span>
      )}
    </button>
  );
}

interface HeadProps {
  guest: boolean;
  onGo: GoTo;
}

function SideHead({ guest, onGo }: HeadProps) {
  const begin = (event: MouseEvent) => {
    if (!guest) return onGo(event, '/chat/new');
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
  const { leave } = useDrawer(box);
  const navigate = useNavigate();
  const go: GoTo = useCallback(
    (event, to) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      const left = leave();
      if (!left) return;
      event.preventDefault();
      void left.then(() => navigate(to));
    },
    [leave, navigate],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat closes the drawer
  useEffect(() => void leave(), [place, leave]);
  const upgrade = useCallback(() => controls.show({ kind: 'upgrade', cause: 'asked' }), [controls]);
  return (
    <section ref={box} id={sidebarId} popover="auto" className="chat-side" aria-label="Chats">
      <SideHead guest={me === null} onGo={go} />
      {me ? <SearchButton controls={controls} /> : null}
      <div className="chat-side-lists">
        <ToolList
          me={me}
          assistants={state.assistants}
          toolPages={state.toolPages}
          chosen={stored ? null : assistant}
          onGo={go}
        />
        <RecentChats {...{ chats, next, openId, now, controls }} onGo={go} />
      </div>
      <PlanBox me={me} onSignIn={signIn} onUpgrade={upgrade} />
    </section>
  );
});

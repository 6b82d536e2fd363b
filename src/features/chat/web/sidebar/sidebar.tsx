import { Plus } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn } from '../state/sending.ts';
import { LocalDate } from './local-date.tsx';
import { PlanBox } from './plan-box.tsx';

export const sidebarId = 'chat-sidebar';

interface SidebarProps {
  state: ChatState;
  controls: ChatControls;
}

const signIn = () => openSignIn('/chat/new');

/** Chats and plan: a column beside the conversation, on narrow screens a popover that slides over it. */
export const Sidebar = memo(function Sidebar({ state, controls }: SidebarProps) {
  const { me, chats, next } = state;
  const { id: openId, stored } = state.open;
  const box = useRef<HTMLElement>(null);
  const place = stored ? openId : 'new';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat closes the drawer
  useEffect(() => {
    if (box.current?.matches(':popover-open')) box.current.hidePopover();
  }, [place]);
  const close = () => box.current?.matches(':popover-open') && box.current.hidePopover();
  return (
    <aside ref={box} id={sidebarId} popover="auto" className="chat-side" aria-label="Chats">
      <Link className="btn btn-secondary" to="/chat/new" onClick={close}>
        <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
        New Chat
      </Link>
      <nav className="chat-list" aria-label="Recent chats">
        <h2 className="eyebrow">Recent Chats</h2>
        {chats.length === 0 ? <p className="muted">Your chats will appear here.</p> : null}
        <ul>
          {chats.map((chat) => (
            <li key={chat.id}>
              <Link
                className="nav-item"
                to={`/chat/${chat.id}`}
                title={chat.title}
                aria-current={chat.id === openId ? 'page' : undefined}
                onClick={close}
              >
                <span className="chat-row-title">{chat.title}</span>
                {chat.running ? <span className="chat-dot" role="img" aria-label="Replying" /> : null}
                <LocalDate className="chat-row-date" iso={chat.updatedAt} />
              </Link>
            </li>
          ))}
        </ul>
        {next !== null ? (
          <button type="button" className="btn btn-ghost" onClick={controls.loadChats}>
            Show more
          </button>
        ) : null}
      </nav>
      <PlanBox me={me} onSignIn={signIn} />
    </aside>
  );
});

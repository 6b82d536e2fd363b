import { Ellipsis, Menu as MenuIcon, Plus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { Button, buttonClass } from '#ui/button.tsx';
import { Menu } from '#ui/menu.tsx';
import { sidebarId } from '../sidebar/sidebar.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';
import { type HeaderAction, headerActions, usePrintChat } from './chat-actions.ts';
import { ChatTitleForm } from './chat-title-form.tsx';

interface HeaderProps {
  state: ChatState;
  controls: ChatControls;
}

function useRenaming({ state, controls }: HeaderProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const { id } = state.open;
  return {
    renaming: renaming === id,
    begin() {
      opener.current = document.activeElement;
      setRenaming(id);
    },
    done(title: string | null, byKey: boolean) {
      // The button that is to get the focus is disabled until then.
      flushSync(() => setRenaming(null));
      if (title !== null) void controls.rename(id, title);
      if (byKey && opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

function Title({ title, hidden }: { title: string; hidden: boolean }) {
  return (
    <h1
      className={
        hidden
          ? 'visually-hidden'
          : 'min-w-0 truncate text-sm font-semibold min-[75rem]:max-w-[calc(100%-38rem)]'
      }
      title={title}
      dir="auto"
    >
      {title}
    </h1>
  );
}

const MenuItems = lazy(() => import('./chat-menu-items.tsx'));
const menuId = 'chat-menu';

interface ChatMenuProps {
  chatId: string;
  stored: boolean;
  actions: HeaderAction[];
  controls: ChatControls;
  onPrint: () => void;
}

function ChatMenu(props: ChatMenuProps) {
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return (
    <Menu
      id={menuId}
      align="end"
      button={{
        look: 'ghost',
        size: 'icon',
        className: 'shrink-0',
        'aria-label': m.chat_more(),
        title: m.chat_more(),
        onPointerEnter: want,
        onFocus: want,
        onClick: want,
        children: <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />,
      }}
    >
      {wanted ? (
        <Suspense fallback={<p className="menu-text muted">{m.chat_loading()}</p>}>
          <MenuItems {...props} />
        </Suspense>
      ) : null}
    </Menu>
  );
}

export function ChatHeader(props: HeaderProps) {
  const { state, controls } = props;
  const { id, stored } = state.open;
  const named = state.me ? state.open.title : m.chat_landing_title();
  const title = state.missing ? m.chat_missing_name() : named;
  const empty = !state.missing && state.open.messages.length === 0;
  const { renaming, begin, done } = useRenaming(props);
  const onPrint = usePrintChat(state, controls);
  const actions = headerActions(state, controls, renaming ? null : begin);
  return (
    <header
      className={`chat-head @container/chat-head sticky top-0 z-(--z-sticky) flex h-12 flex-none items-center gap-0.5 border-b bg-surface ps-6 pe-3 max-[60rem]:px-1 ${empty ? 'border-transparent' : 'border-line'}`}
    >
      <Button
        look="ghost"
        size="icon"
        className="chat-open"
        popoverTarget={sidebarId}
        aria-label={m.chat_sidebar()}
        title={m.chat_sidebar()}
      >
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <Title title={title} hidden={renaming || empty} />
      {renaming ? null : <span className="flex-1" />}
      {renaming ? (
        <ChatTitleForm
          key={id}
          className="input me-4 -ms-[9px] min-h-9 w-auto min-w-0 flex-1 rounded-sm px-2 py-0 text-sm font-semibold pointer-coarse:text-md"
          label={m.chat_title_field()}
          title={title}
          onDone={done}
        />
      ) : null}
      {actions.map(({ id: action, name, Icon, run, disabled, always }) => (
        <Button
          look="ghost"
          key={action}
          size="icon"
          className={`shrink-0 ${always ? '' : '@max-[44rem]/chat-head:hidden'}`}
          aria-label={name}
          title={name}
          disabled={disabled}
          // The second half of a double click would stop what the first began.
          onClick={(event) => event.detail < 2 && run()}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      ))}
      {state.me ? null : (
        <Button look="primary" className="chat-open" onClick={() => openSignIn({ next: '/chat/new' })}>
          {m.chat_sign_in()}
        </Button>
      )}
      {state.me && !empty ? (
        <Link
          className={buttonClass({ look: 'ghost', size: 'icon', className: 'chat-open' })}
          to="/chat/new"
          aria-label={m.chat_new()}
          title={m.chat_new()}
        >
          <Plus size={20} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      ) : null}
      {actions.length > 0 ? (
        <ChatMenu chatId={id} stored={stored} actions={actions} controls={controls} onPrint={onPrint} />
      ) : null}
    </header>
  );
}

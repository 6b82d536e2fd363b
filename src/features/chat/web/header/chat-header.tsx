import {
  Ellipsis,
  Menu as MenuIcon,
  Pencil,
  Plus,
  RotateCcw,
  Square,
  SquarePen,
  Timer,
  Trash2,
} from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { Button, buttonClass } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu } from '#ui/menu.tsx';
import { replyOptions } from '../message/reply-options.ts';
import { isApple } from '../shortcuts/shortcuts.ts';
import { sidebarId } from '../sidebar/sidebar.tsx';
import type { ChatControls, ChatProps } from '../state/chat-controls.ts';
import { type ChatState, liveMessage, newChatPath, openPair } from '../state/chat-state.ts';
import type { HeaderAction } from './chat-menu-items.tsx';
import { LazyTitleForm } from './lazy-title-form.tsx';

/** Stop and Retry are the same button, so that nothing moves. */
function replyAction(state: ChatState, controls: ChatControls): HeaderAction | null {
  const live = liveMessage(state);
  const last = state.open.messages.at(-1);
  if (live)
    return {
      id: 'reply',
      name: m.common_stop(),
      Icon: Square,
      run: controls.stop,
      disabled: live.stopping === true,
      always: true,
    };
  if (last?.role !== 'assistant' || state.open.newer !== null || openPair(state.open.messages)) return null;
  const { regenerate } = replyOptions(last);
  if (!regenerate) return null;
  const run = () => (regenerate.continues ? controls.continueReply(last) : controls.regenerate(last));
  return { id: 'reply', name: regenerate.label, Icon: RotateCcw, run };
}

function headerActions(
  state: ChatState,
  controls: ChatControls,
  rename: (() => void) | null,
): HeaderAction[] {
  const { id, messages: turns, stored, newer, temporary } = state.open;
  if (turns.length === 0) return [];
  const question = turns.findLast((turn) => turn.role === 'user');
  const actions: (HeaderAction | null)[] = [
    temporary
      ? null
      : {
          id: 'rename',
          name: m.common_rename(),
          Icon: Pencil,
          run: () => rename?.(),
          disabled: !stored || rename === null,
        },
    replyAction(state, controls),
    question && newer === null
      ? {
          id: 'edit',
          name: m.chat_edit_last(),
          Icon: SquarePen,
          run: () => controls.edit(question),
          disabled: question.unsent === true || liveMessage(state) !== undefined,
        }
      : null,
    {
      id: 'delete',
      name: m.common_delete(),
      Icon: Trash2,
      run: () => void controls.remove(id),
      disabled: !stored,
    },
  ];
  return actions.filter((action) => action !== null);
}

const isPrintKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'p' &&
  (isApple() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

/** Loads the whole chat before printing, also for the browser's own shortcut. */
function usePrintChat({ open }: ChatState, controls: ChatControls): () => void {
  const [printing, setPrinting] = useState<string | null>(null);
  const isComplete = open.older === null && open.newer === null;
  useEffect(() => {
    if (printing === null || (printing === open.id && !isComplete)) return;
    setPrinting(null);
    if (printing === open.id) print();
  }, [printing, open.id, isComplete]);

  const startPrint = () => {
    if (printing !== null) return;
    setPrinting(open.id);
    if (!isComplete) controls.loadAll().then((done) => done || setPrinting(null));
  };
  const latest = useRef({ isComplete, startPrint });
  latest.current = { isComplete, startPrint };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPrintKey(event) || latest.current.isComplete) return;
      event.preventDefault();
      latest.current.startPrint();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return startPrint;
}

function useRenaming({ state, controls }: ChatProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const { id } = state.open;
  return {
    renaming: renaming === id,
    start() {
      opener.current = document.activeElement;
      setRenaming(id);
    },
    finish(title: string | null, byKey: boolean) {
      // The button that gets the focus is disabled until this is rendered.
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

function TemporaryLink({ open: { assistant, temporary } }: Pick<ChatState, 'open'>) {
  return (
    <Link className={buttonClass({ variant: 'ghost' })} to={newChatPath(assistant, !temporary)} replace>
      <Timer size={16} strokeWidth={1.75} aria-hidden="true" />
      {temporary ? m.chat_temporary_off() : m.chat_temporary()}
    </Link>
  );
}

const MenuItems = lazy(() => import('./chat-menu-items.tsx'));
const menuId = 'chat-menu';

function ChatMenu(props: ComponentProps<typeof MenuItems>) {
  const [requested, setRequested] = useState(false);
  const load = () => setRequested(true);
  return (
    <Menu
      id={menuId}
      align="end"
      button={{
        variant: 'ghost',
        size: 'icon',
        className: 'shrink-0',
        'aria-label': m.chat_more(),
        title: m.chat_more(),
        onPointerEnter: load,
        onFocus: load,
        onClick: load,
        children: <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />,
      }}
    >
      {requested ? (
        <Suspense fallback={<p className="menu-text muted">{m.chat_loading()}</p>}>
          <MenuItems {...props} />
        </Suspense>
      ) : null}
    </Menu>
  );
}

export function ChatHeader(props: ChatProps) {
  const { state, controls } = props;
  const { id, stored } = state.open;
  const named = state.me ? state.open.title : m.chat_landing_title();
  const title = state.missing ? m.chat_missing_name() : named;
  const project = state.open.project?.name;
  const empty = !state.missing && state.open.messages.length === 0;
  const { renaming, start, finish } = useRenaming(props);
  const onPrint = usePrintChat(state, controls);
  const actions = headerActions(state, controls, renaming ? null : start);
  return (
    <header
      className={`chat-head @container/chat-head sticky top-0 z-(--z-sticky) flex h-12 flex-none items-center gap-0.5 border-b bg-surface ps-6 pe-3 max-[60rem]:px-1 ${empty ? 'border-transparent' : 'border-line'}`}
    >
      <IconButton
        Icon={MenuIcon}
        iconSize={20}
        label={m.chat_sidebar()}
        title={m.chat_sidebar()}
        className="chat-open"
        popoverTarget={sidebarId}
      />
      <Title title={project ? `${project} / ${title}` : title} hidden={renaming || empty} />
      {renaming ? null : <span className="flex-1" />}
      {renaming ? (
        <LazyTitleForm
          key={id}
          className="input me-4 -ms-[9px] min-h-9 w-auto min-w-0 flex-1 rounded-sm px-2 py-0 text-sm font-semibold pointer-coarse:text-md"
          label={m.chat_title_field()}
          title={title}
          onDone={finish}
        />
      ) : null}
      {actions.map(({ id: action, name, Icon, run, disabled, always }) => (
        <IconButton
          key={action}
          Icon={Icon}
          label={name}
          title={name}
          className={`shrink-0 ${always ? '' : '@max-[44rem]/chat-head:hidden'}`}
          disabled={disabled}
          // The second click of a double click would stop what the first one started.
          onClick={(event) => event.detail < 2 && run()}
        />
      ))}
      {state.me ? null : (
        <Button variant="primary" className="chat-open" onClick={() => openSignIn({ next: '/chat/new' })}>
          {m.chat_sign_in()}
        </Button>
      )}
      {state.me && empty ? <TemporaryLink open={state.open} /> : null}
      {state.me && !empty ? (
        <Link
          className={buttonClass({ variant: 'ghost', size: 'icon', className: 'chat-open' })}
          to="/chat/new"
          aria-label={m.chat_new()}
          title={m.chat_new()}
        >
          <Plus size={20} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      ) : null}
      {actions.length > 0 ? (
        <ChatMenu
          chatId={id}
          stored={stored}
          temporary={state.open.temporary}
          pinned={state.chats.some((row) => row.id === id && row.pinnedAt !== null)}
          archived={state.open.archivedAt !== null}
          actions={actions}
          controls={controls}
          onPrint={onPrint}
        />
      ) : null}
    </header>
  );
}

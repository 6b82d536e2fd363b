import { Ellipsis } from 'lucide-react';
import {
  Fragment,
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { useLoadMore } from '#client/use-load-more.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { timeText, useZone } from '#ui/local-time.tsx';
import type { ChatRow as Row } from '../../contract.ts';
import { LazyTitleForm } from '../header/lazy-title-form.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { ChatState } from '../state/chat-state.ts';
import { groupChats, useToday } from './group-by-day.ts';
import type { Navigate } from './use-drawer.ts';

interface RowActions {
  onNavigate: Navigate;
  onMenu: (id: string, button: HTMLElement) => void;
  onNearMenu: () => void;
  onRename: (id: string) => void;
  onRenamed: (id: string, title: string | null, byKey: boolean) => void;
}

interface ChatRowProps extends RowActions {
  id: string;
  title: string;
  updatedAt: string;
  running: boolean;
  current: boolean;
  renaming: boolean;
  menuOpen: boolean;
}

const long = { dateStyle: 'long', timeStyle: 'short' } as const;

export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, title, updatedAt, current, menuOpen } = props;
  const updated = timeText(updatedAt, long, useZone());
  if (props.renaming) {
    return (
      <li className="chat-row" data-row={id}>
        <LazyTitleForm
          className="chat-rename block w-full"
          label={m.chat_title_field()}
          title={title}
          onDone={(text, byKey) => props.onRenamed(id, text, byKey)}
        />
      </li>
    );
  }
  return (
    <li className="chat-row" data-row={id}>
      <Link
        className="nav-item flex items-center gap-2"
        to={`/chat/${id}`}
        title={m.chat_row_title({ title, updated })}
        aria-current={current ? 'page' : undefined}
        onClick={(event) => props.onNavigate(event, `/chat/${id}`)}
        onKeyDown={(event) => {
          if (event.key !== 'F2') return;
          event.preventDefault();
          props.onRename(id);
        }}
      >
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {title}
        </span>
        {props.running ? <span className="chat-dot" role="img" aria-label={m.chat_row_replying()} /> : null}
      </Link>
      <IconButton
        Icon={Ellipsis}
        label={m.chat_row_options({ title })}
        className="chat-row-more"
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onPointerEnter={props.onNearMenu}
        onFocus={props.onNearMenu}
        onClick={(event) => props.onMenu(id, event.currentTarget)}
      />
    </li>
  );
});

const loadMenu = () => import('./chat-row-menu.tsx');
const RowMenu = lazy(loadMenu);
const prefetchMenu = () => void loadMenu();
const loadListMenu = () => import('./chat-list-menu.tsx');
const ListMenu = lazy(loadListMenu);
const prefetchListMenu = () => void loadListMenu();
const SelectChats = lazy(() => import('./select-chats.tsx'));
/** Used in place of a chat's id. */
const listMenuId = '';

interface RecentChatsProps extends Pick<ChatState, 'chats' | 'next' | 'now'> {
  openId: string;
  signedIn: boolean;
  controls: ChatControls;
  onNavigate: Navigate;
}

const findLink = (list: HTMLElement | null, id: string | undefined) =>
  list?.querySelector<HTMLElement>(id === undefined ? 'a' : `[data-row="${id}"] a`);

function useRowActions({ chats, controls, onNavigate }: RecentChatsProps) {
  const list = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<{ id: string; button: HTMLElement; opened: number } | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const movingRow = useRef<{ id: string; nextId: string | undefined; pinnedAt: string | null } | null>(null);
  const focusRow = useRef<string | null>(null);

  useLayoutEffect(() => {
    const moved = movingRow.current;
    if (!moved || chats.some((row) => row.id === moved.id && row.pinnedAt === moved.pinnedAt)) return;
    movingRow.current = null;
    // The focused row disappeared, or moved to another group.
    if (document.activeElement === document.body) findLink(list.current, moved.nextId)?.focus();
  }, [chats]);
  useLayoutEffect(() => {
    if (renaming !== null || focusRow.current === null) return;
    findLink(list.current, focusRow.current)?.focus();
    focusRow.current = null;
  }, [renaming]);

  // The event that closes a menu comes later, when its button may have opened the next one.
  const closeMenu = useCallback(
    (opened: number) => setMenu((now) => (now?.opened === opened ? null : now)),
    [],
  );
  const onMenu = useCallback(
    (id: string, button: HTMLElement) => setMenu((now) => ({ id, button, opened: (now?.opened ?? 0) + 1 })),
    [],
  );
  const onRenamed = useCallback(
    (id: string, title: string | null, byKey: boolean) => {
      if (byKey) focusRow.current = id;
      setRenaming(null);
      if (title !== null) void controls.rename(id, title);
    },
    [controls],
  );
  const removeRow = ({ id, pinnedAt }: Row, action: 'remove' | 'archive') => {
    const shown = [...chats.filter((row) => row.pinnedAt), ...chats.filter((row) => !row.pinnedAt)];
    const at = shown.findIndex((row) => row.id === id);
    movingRow.current = { id, nextId: (shown[at + 1] ?? shown[at - 1])?.id, pinnedAt };
    void (action === 'remove' ? controls.remove(id) : controls.arrange(id, { archived: true }));
  };
  const pin = ({ id, pinnedAt }: Row) => {
    movingRow.current = { id, nextId: id, pinnedAt };
    void controls.arrange(id, { pinned: pinnedAt === null });
  };
  const row = { onNavigate, onMenu, onNearMenu: prefetchMenu, onRename: setRenaming, onRenamed };
  return { list, menu, closeMenu, onMenu, renaming, setRenaming, removeRow, pin, row };
}

export const RecentChats = memo(function RecentChats(props: RecentChatsProps) {
  const { chats, next, openId, signedIn, now, controls } = props;
  const zone = useZone();
  const today = useToday(now);
  const { list, menu, closeMenu, onMenu, renaming, setRenaming, removeRow, pin, row } = useRowActions(props);
  const { button, busy, more } = useLoadMore('.chat-side-lists', 240, next, controls.loadChats);
  const listed = chats.some(({ id }) => id === openId);
  useEffect(() => {
    if (listed) list.current?.querySelector(`[data-row="${openId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [openId, listed, list]);
  const [selecting, setSelecting] = useState(false);
  const wasSelecting = useRef(false);
  useEffect(() => {
    if (wasSelecting.current && !selecting)
      list.current?.querySelector<HTMLElement>('button[aria-haspopup]')?.focus({ preventScroll: true });
    wasSelecting.current = selecting;
  }, [selecting, list]);
  if (selecting && signedIn)
    return (
      <Suspense>
        <SelectChats {...{ chats, next, today, zone, controls }} onDone={() => setSelecting(false)} />
      </Suspense>
    );
  const shown = menu && chats.find(({ id }) => id === menu.id);
  return (
    <nav ref={list} aria-label={m.chat_recent()}>
      <div className="flex items-center justify-between">
        <h2 className="eyebrow px-2.5 pt-1">{m.chat_recent_title()}</h2>
        {signedIn ? (
          <IconButton
            Icon={Ellipsis}
            label={m.chat_list_options()}
            title={m.chat_list_options()}
            aria-haspopup="menu"
            aria-expanded={menu?.id === listMenuId}
            onPointerEnter={prefetchListMenu}
            onFocus={prefetchListMenu}
            onClick={(event) => onMenu(listMenuId, event.currentTarget)}
          />
        ) : null}
      </div>
      {chats.length === 0 ? <p className="muted px-2.5 py-1">{m.chat_recent_empty()}</p> : null}
      {groupChats(chats, today, zone).map((group) => (
        <Fragment key={group.label}>
          <h3 className="px-2.5 pt-1.5 pb-0.5 text-2xs font-normal text-fg-subtle">{group.label}</h3>
          <ul aria-label={group.label}>
            {group.rows.map((chat) => (
              <ChatRow
                key={chat.id}
                {...chat}
                {...row}
                current={chat.id === openId}
                renaming={renaming === chat.id}
                menuOpen={shown?.id === chat.id}
              />
            ))}
          </ul>
        </Fragment>
      ))}
      {next === null ? null : (
        <Button ref={button} variant="ghost" aria-busy={busy} onClick={more}>
          {m.common_show_more()}
        </Button>
      )}
      {shown ? (
        <Suspense>
          <RowMenu
            key={`${shown.id} ${menu.opened}`}
            row={shown}
            button={menu.button}
            opened={menu.opened}
            onClose={closeMenu}
            onRename={() => setRenaming(shown.id)}
            onPin={() => pin(shown)}
            onArchive={() => removeRow(shown, 'archive')}
            onMove={() => controls.show({ kind: 'move', ids: [shown.id] })}
            onDelete={() => removeRow(shown, 'remove')}
          />
        </Suspense>
      ) : null}
      {menu?.id === listMenuId ? (
        <Suspense>
          <ListMenu
            key={menu.opened}
            button={menu.button}
            opened={menu.opened}
            onClose={closeMenu}
            onSelect={() => setSelecting(true)}
            onArchive={() => controls.show({ kind: 'archive' })}
            onNewProject={() => controls.show({ kind: 'project', id: null })}
          />
        </Suspense>
      ) : null}
    </nav>
  );
});

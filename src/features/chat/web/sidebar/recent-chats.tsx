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
import type { ChatRow as Row } from '../../contract.ts';
import type { ChatControls } from '../state/controls.ts';
import { groupByDay } from './calendar.ts';
import { ChatRow } from './chat-row.tsx';
import type { GoTo } from './drawer.ts';
import { useToday, useZone } from './use-calendar.ts';

const loadMenu = () => import('./row-menu.tsx');
const RowMenu = lazy(loadMenu);
const prefetchMenu = () => void loadMenu();

interface RecentChatsProps {
  chats: Row[];
  next: string | null;
  openId: string;
  /** ISO 8601: the server's time at which the page was made. */
  now: string;
  controls: ChatControls;
  onGo: GoTo;
}

interface MoreProps {
  load: () => Promise<void>;
}

/** Loads the next page of the list when its end comes into view; the button is for when that has failed. */
function More({ load }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const more = useCallback(async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    await load();
    running.current = false;
    setBusy(false);
  }, [load]);
  useEffect(() => {
    if (!button.current) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void more();
      },
      { root: button.current.closest('.chat-side-lists'), rootMargin: '240px' },
    );
    watch.observe(button.current);
    return () => watch.disconnect();
  }, [more]);
  return (
    <button ref={button} type="button" className="btn btn-ghost" aria-busy={busy} onClick={more}>
      Show more
    </button>
  );
}

const linkOf = (list: HTMLElement | null, id: string | undefined) =>
  list?.querySelector<HTMLElement>(id === undefined ? 'a' : `[data-row="${id}"] a`);

/** The row whose menu is open, its button, and the row whose title is being changed. */
function useRowActions({ chats, controls, onGo }: RecentChatsProps) {
  const list = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<{ id: string; button: HTMLElement } | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const leaving = useRef<{ id: string; heir: string | undefined } | null>(null);
  const focusRow = useRef<string | null>(null);

  useLayoutEffect(() => {
    const gone = leaving.current;
    if (!gone || chats.some((row) => row.id === gone.id)) return;
    leaving.current = null;
    // The row took the focus with it.
    if (document.activeElement === document.body) linkOf(list.current, gone.heir)?.focus();
  }, [chats]);
  useLayoutEffect(() => {
    if (renaming !== null || focusRow.current === null) return;
    linkOf(list.current, focusRow.current)?.focus();
    focusRow.current = null;
  }, [renaming]);

  const closeMenu = useCallback(() => setMenu(null), []);
  const onMenu = useCallback((id: string, button: HTMLElement) => setMenu({ id, button }), []);
  const onRenamed = useCallback(
    (id: string, title: string | null, byKey: boolean) => {
      if (byKey) focusRow.current = id;
      setRenaming(null);
      if (title !== null) void controls.rename(id, title);
    },
    [controls],
  );
  const remove = (id: string) => {
    const at = chats.findIndex((row) => row.id === id);
    leaving.current = { id, heir: (chats[at + 1] ?? chats[at - 1])?.id };
    void controls.remove(id);
  };
  const row = { onGo, onMenu, onNearMenu: prefetchMenu, onRename: setRenaming, onRenamed };
  return { list, menu, closeMenu, renaming, setRenaming, remove, row };
}

/** The person's chats under the days of their calendar. */
export const RecentChats = memo(function RecentChats(props: RecentChatsProps) {
  const { chats, next, openId, now, controls } = props;
  const zone = useZone();
  const today = useToday(now);
  const { list, menu, closeMenu, renaming, setRenaming, remove, row } = useRowActions(props);
  const listed = chats.some(({ id }) => id === openId);
  useEffect(() => {
    if (listed) list.current?.querySelector(`[data-row="${openId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [openId, listed, list]);
  const shown = menu && chats.find(({ id }) => id === menu.id);
  return (
    <nav ref={list} aria-label="Recent chats">
      <h2 className="eyebrow">Recent Chats</h2>
      {chats.length === 0 ? <p className="muted chat-side-text">Your chats will appear here.</p> : null}
      {groupByDay(chats, today, zone).map((group) => (
        <Fragment key={group.label}>
          <h3 className="chat-group">{group.label}</h3>
          <ul aria-label={group.label}>
            {group.rows.map((chat) => (
              <ChatRow
                key={chat.id}
                {...chat}
                {...row}
                current={chat.id === openId}
                today={group.label === 'Today'}
                renaming={renaming === chat.id}
                menuOpen={shown?.id === chat.id}
              />
            ))}
          </ul>
        </Fragment>
      ))}
      {next === null ? null : <More key={next} load={controls.loadChats} />}
      {shown ? (
        <Suspense>
          <RowMenu
            key={shown.id}
            row={shown}
            button={menu.button}
            onClose={closeMenu}
            onRename={() => setRenaming(shown.id)}
            onDelete={() => remove(shown.id)}
          />
        </Suspense>
      ) : null}
    </nav>
  );
});

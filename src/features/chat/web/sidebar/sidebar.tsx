import { PanelLeft, Plus, Search } from 'lucide-react';
import {
  lazy,
  type MouseEvent,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { Link, useNavigate } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { buttonClass } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { isApple, keyLabels, shortcuts, shortcutsOn } from '../shortcuts/shortcuts.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { RecentChats } from './recent-chats.tsx';
import { AccountMenu, PlanBox } from './sidebar-account.tsx';
import { SidebarTools } from './sidebar-tools.tsx';
import { type Navigate, useDrawer } from './use-drawer.ts';

const SidebarProjects = lazy(() => import('../projects/sidebar-projects.tsx'));

export const sidebarId = 'chat-sidebar';

const signIn = () => openSignIn({ next: '/chat/new' });
const prefetchSearch = () => void import('../chat-search.tsx');
const noSubscription = () => () => undefined;
const searchKeys = shortcuts.find(({ name }) => name === 'search');
const searchKeysText = () =>
  searchKeys && shortcutsOn() ? keyLabels(searchKeys, isApple()).join(' + ') : '';

function SearchButton({ controls }: Pick<ChatProps, 'controls'>) {
  const keys = useSyncExternalStore(noSubscription, searchKeysText, () => 'Ctrl + K');
  return (
    <button
      type="button"
      className="chat-search-open flex min-h-(--hit) min-w-0 flex-1 items-center gap-2 border border-line-strong bg-surface px-2.5 py-1"
      title={keys === '' ? undefined : keys}
      aria-keyshortcuts={keys === '' ? undefined : keys.startsWith('Cmd') ? 'Meta+K' : 'Control+K'}
      onPointerEnter={prefetchSearch}
      onFocus={prefetchSearch}
      onClick={() => controls.show({ kind: 'search' })}
    >
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="truncate">{m.chat_search_open()}</span>
    </button>
  );
}

function Brand() {
  const logo = setting('brand.logo');
  const isName = logo && !logo.withName;
  const name = setting('brand.name');
  return (
    <a className="flex min-h-11 min-w-0 items-center gap-2.5 text-md font-bold tracking-[-0.015em]" href="/">
      <img
        className={logo ? 'h-6 w-auto max-w-40 object-contain' : 'size-5.5'}
        src={logo?.path ?? '/favicon.svg'}
        alt={isName ? name : ''}
        width={logo?.width ?? 22}
        height={logo?.height ?? 22}
      />
      {isName ? null : <span className="truncate">{name}</span>}
    </a>
  );
}

function SideHead({
  guest,
  onNavigate,
  children,
}: {
  guest: boolean;
  onNavigate: Navigate;
  children: ReactNode;
}) {
  const startChat = (event: MouseEvent) => {
    if (!guest) return onNavigate(event, '/chat/new');
    event.preventDefault();
    signIn();
  };
  return (
    <>
      <div className="-mt-3 -me-1 flex h-12 items-center justify-between ps-1">
        <Brand />
        <IconButton
          Icon={PanelLeft}
          iconSize={18}
          label={m.chat_sidebar_hide()}
          title={m.chat_sidebar_hide()}
          popoverTarget={sidebarId}
          popoverTargetAction="hide"
        />
      </div>
      <div className="flex gap-2">
        <Link
          className={buttonClass({ variant: 'primary', className: guest ? 'flex-1' : 'px-3' })}
          to="/chat/new"
          onClick={startChat}
        >
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          {m.chat_new()}
        </Link>
        {children}
      </div>
    </>
  );
}

export const Sidebar = memo(function Sidebar({ state, controls }: ChatProps) {
  const { me, chats, next, now, projects } = state;
  const { id: openId, stored, assistant } = state.open;
  const box = useRef<HTMLElement>(null);
  const chatKey = stored ? openId : `new ${assistant}`;
  const { close: closeDrawer } = useDrawer(box);
  const navigate = useNavigate();
  const navigateTo: Navigate = useCallback(
    (event, to) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      const closing = closeDrawer();
      if (!closing) return;
      event.preventDefault();
      void closing.then(() => navigate(to));
    },
    [closeDrawer, navigate],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat closes the drawer
  useEffect(() => void closeDrawer(), [chatKey, closeDrawer]);
  const upgrade = useCallback(() => controls.show({ kind: 'upgrade', cause: 'asked' }), [controls]);
  const showShortcuts = useCallback(() => controls.show({ kind: 'shortcuts' }), [controls]);
  return (
    <section ref={box} id={sidebarId} popover="auto" className="chat-side" aria-label={m.chat_sidebar()}>
      <SideHead guest={me === null} onNavigate={navigateTo}>
        {me ? <SearchButton controls={controls} /> : null}
      </SideHead>
      <div className="chat-side-lists -mx-3 min-h-0 flex-1 overflow-y-auto overscroll-contain border-b border-line px-3 pb-3">
        <SidebarTools
          me={me}
          assistants={state.assistants}
          toolPages={state.toolPages}
          chosen={stored ? null : assistant}
          onNavigate={navigateTo}
        />
        {projects.length > 0 ? (
          <Suspense>
            <SidebarProjects {...{ projects, chats, controls }} open={state.open} onNavigate={navigateTo} />
          </Suspense>
        ) : null}
        <RecentChats
          {...{ chats, next, openId, now, controls }}
          signedIn={me !== null}
          onNavigate={navigateTo}
        />
      </div>
      <div className="-mb-1">
        <PlanBox me={me} onSignIn={signIn} onUpgrade={upgrade} />
        <AccountMenu me={me} onShortcuts={showShortcuts} />
      </div>
    </section>
  );
});

import { PanelLeft } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { planLimits } from '../../credits/contract.ts';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { Sidebar, sidebarId } from './sidebar/sidebar.tsx';
import { EmptyState, MissingChat } from './start/empty-state.tsx';
import { type ChatPageData, type ChatState, liveTurn, type Notice, type Turn } from './state/chat-state.ts';
import { type ChatControls, openSignIn, useChat } from './state/use-chat.ts';
import { useSignIn } from './state/use-sign-in.ts';
import { Announcer } from './transcript/announcer.tsx';
import { Transcript } from './transcript/transcript.tsx';
import { againLabel } from './transcript/turn-view.tsx';

const signIn = () => openSignIn('/chat/new');

/** Esc stops the running reply, unless something that Esc closes is open. */
function useEscape(active: boolean, stop: () => void) {
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (!document.querySelector('dialog[open], :popover-open')) stop();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active, stop]);
}

/** Tells the shell of the page, which shows the balance too. */
function useBalance(credits: number | undefined) {
  useEffect(() => {
    if (credits !== undefined) document.dispatchEvent(new CustomEvent('me:changed', { detail: { credits } }));
  }, [credits]);
}

interface HeaderProps {
  title: string;
  live: Turn | undefined;
  last: Turn | undefined;
  controls: ChatControls;
}

function ChatHeader({ title, live, last, controls }: HeaderProps) {
  return (
    <header className="chat-head">
      <button
        type="button"
        className="btn btn-ghost btn-icon chat-open"
        popoverTarget={sidebarId}
        aria-label="Chats"
      >
        <PanelLeft size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <h1>{title}</h1>
      {live ? (
        <button type="button" className="btn btn-secondary" disabled={live.stopping} onClick={controls.stop}>
          Stop
        </button>
      ) : null}
      {!live && last?.role === 'assistant' && !last.cutOff ? (
        <button type="button" className="btn btn-ghost" onClick={() => controls.again(last)}>
          {againLabel(last)}
        </button>
      ) : null}
    </header>
  );
}

function Conversation({
  state,
  controls,
  onPick,
}: {
  state: ChatState;
  controls: ChatControls;
  onPick: (text: string) => void;
}) {
  if (state.missing) return <MissingChat />;
  if (state.open.turns.length === 0) return <EmptyState name={state.me?.name ?? null} onPick={onPick} />;
  return <Transcript open={state.open} onAgain={controls.again} onOlder={controls.loadOlder} />;
}

function NoticeLine({
  notice,
  open,
  onDismiss,
}: {
  notice: Notice;
  open: ChatState['open'];
  onDismiss: () => void;
}) {
  const signedOut = notice.code === 'unauthorized';
  return (
    <div className={`notice ${signedOut ? 'notice-info' : 'notice-danger'} chat-notice`} role="alert">
      <p>{notice.text}</p>
      {signedOut ? (
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => openSignIn(open.stored ? `/chat/${open.id}` : '/chat/new')}
        >
          Sign in
        </button>
      ) : null}
      <button type="button" className="btn btn-ghost" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  );
}

/** The chat page, given what its loader knows. */
export function ChatPage({ data }: { data: ChatPageData }) {
  const composer = useRef<ComposerHandle>(null);
  const giveBack = useCallback((text: string) => composer.current?.giveBack(text), []);
  const suggest = useCallback((text: string) => composer.current?.suggest(text), []);
  const { state, controls } = useChat(data, giveBack);
  const { me, open, notice } = state;
  const live = liveTurn(state);
  const last = open.turns.at(-1);
  useSignIn(state, controls, composer);
  useEscape(live !== undefined, controls.stop);
  useBalance(me?.credits);
  return (
    <main id="main" className="chat">
      <Sidebar
        me={me}
        chats={state.chats}
        hasMore={state.next !== null}
        openId={open.id}
        stored={open.stored}
        onMore={controls.loadChats}
        onSignIn={signIn}
      />
      <div className="chat-main">
        <ChatHeader title={open.title} live={live} last={last} controls={controls} />
        <Conversation state={state} controls={controls} onPick={suggest} />
        {notice ? <NoticeLine notice={notice} open={open} onDismiss={controls.dismiss} /> : null}
        <Composer
          ref={composer}
          chatId={open.id}
          stored={open.stored}
          busy={live !== undefined}
          stopping={live?.stopping === true}
          credits={me && !planLimits[me.plan].unlimited ? me.credits : null}
          onSend={controls.send}
          onStop={controls.stop}
        />
        <Announcer live={live} last={last} />
      </div>
    </main>
  );
}

import { useCallback, useEffect, useRef } from 'react';
import { pageTitle } from '../../../shared/page-title.ts';
import { loadMarkdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { planLimits } from '../../credits/contract.ts';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { NoticeLine } from './composer/notice-line.tsx';
import { Dialogs } from './dialogs.tsx';
import { useElsewhere } from './elsewhere/use-elsewhere.ts';
import { ChatHeader } from './header/chat-header.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { EmptyState } from './start/empty-state.tsx';
import { MissingChat } from './start/missing-chat.tsx';
import { useHandover } from './start/use-handover.ts';
import { useStarter } from './start/use-starter.ts';
import type { ChatPageData, ChatState } from './state/chat-state.ts';
import type { ChatControls, Outgoing } from './state/controls.ts';
import { useChat } from './state/use-chat.ts';
import { useSignIn } from './state/use-sign-in.ts';
import { Announcer } from './transcript/announcer.tsx';
import { Transcript } from './transcript/transcript.tsx';
import { useLowCredits } from './upgrade/use-low-credits.ts';

/** Tells the shell of the page, which shows the balance too. */
function useBalance(credits: number | undefined) {
  useEffect(() => {
    if (credits !== undefined) document.dispatchEvent(new CustomEvent('me:changed', { detail: { credits } }));
  }, [credits]);
}

/** The tab is called by the chat that is open, from its first message on. */
function useTabTitle({ open, missing }: ChatState) {
  const begun = open.stored || open.turns.length > 0;
  const title = missing ? 'Not found' : begun ? open.title : 'Chat';
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}

interface ConversationProps {
  state: ChatState;
  controls: ChatControls;
  onPick: (text: string) => void;
}

function Conversation({ state, controls, onPick }: ConversationProps) {
  if (state.missing) return <MissingChat deleted={state.deleted} onRestore={controls.restore} />;
  if (state.open.turns.length === 0) return <EmptyState state={state} controls={controls} onPick={onPick} />;
  return <Transcript state={state} controls={controls} />;
}

/** What a reply needs to be shown is fetched as soon as somebody begins to do something here. */
function useMarkdownAhead() {
  useEffect(() => {
    const undo = new AbortController();
    const load = () => {
      undo.abort();
      void loadMarkdown();
    };
    for (const sign of ['keydown', 'pointerdown'])
      document.addEventListener(sign, load, { signal: undo.signal });
    return () => undo.abort();
  }, []);
}

/** The chat page, given what its loader knows. */
export function ChatPage({ data }: { data: ChatPageData }) {
  const composer = useRef<ComposerHandle>(null);
  const giveBack = useCallback((message: Outgoing) => composer.current?.giveBack(message), []);
  const suggest = useCallback((text: string) => composer.current?.suggest(text), []);
  const { state, controls } = useChat(data, giveBack);
  const { me } = state;
  useSignIn(state, controls, composer);
  useStarter(state, composer);
  useHandover(state, composer);
  useShortcuts(state, controls, composer);
  useLowCredits(state, controls);
  useElsewhere(state, controls);
  useBalance(me?.credits);
  useMarkdownAhead();
  useTabTitle(state);
  return (
    <main id="main" className="chat">
      <Sidebar state={state} controls={controls} />
      <div className="chat-main">
        <ChatHeader state={state} controls={controls} />
        <Conversation state={state} controls={controls} onPick={suggest} />
        <NoticeLine state={state} controls={controls} />
        <noscript>
          <p className="fine chat-unscripted">Sending needs JavaScript; reading works without it.</p>
        </noscript>
        <Composer
          ref={composer}
          state={state}
          controls={controls}
          credits={me && !planLimits[me.plan].unlimited ? me.credits : null}
        />
        <Announcer state={state} />
      </div>
      <Dialogs state={state} controls={controls} />
    </main>
  );
}

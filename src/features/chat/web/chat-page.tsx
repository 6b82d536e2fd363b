import { useCallback, useEffect, useRef } from 'react';
import { planLimits } from '../../credits/contract.ts';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { NoticeLine } from './composer/notice-line.tsx';
import { Dialogs } from './dialogs.tsx';
import { useElsewhere } from './elsewhere/use-elsewhere.ts';
import { ChatHeader } from './header/chat-header.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { EmptyState, MissingChat } from './start/empty-state.tsx';
import { type ChatPageData, type ChatState, liveTurn } from './state/chat-state.ts';
import type { ChatControls, Outgoing } from './state/controls.ts';
import { useChat } from './state/use-chat.ts';
import { useSignIn } from './state/use-sign-in.ts';
import { Announcer } from './transcript/announcer.tsx';
import { Transcript } from './transcript/transcript.tsx';

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

interface ConversationProps {
  state: ChatState;
  controls: ChatControls;
  onPick: (text: string) => void;
}

function Conversation({ state, controls, onPick }: ConversationProps) {
  if (state.missing) return <MissingChat />;
  if (state.open.turns.length === 0) return <EmptyState state={state} controls={controls} onPick={onPick} />;
  return <Transcript state={state} controls={controls} />;
}

/** The chat page, given what its loader knows. */
export function ChatPage({ data }: { data: ChatPageData }) {
  const composer = useRef<ComposerHandle>(null);
  const giveBack = useCallback((message: Outgoing) => composer.current?.giveBack(message), []);
  const suggest = useCallback((text: string) => composer.current?.suggest(text), []);
  const { state, controls } = useChat(data, giveBack);
  const { me } = state;
  useSignIn(state, controls, composer);
  useElsewhere(state, controls);
  useEscape(liveTurn(state) !== undefined, controls.stop);
  useBalance(me?.credits);
  return (
    <main id="main" className="chat">
      <Sidebar state={state} controls={controls} />
      <div className="chat-main">
        <ChatHeader state={state} controls={controls} />
        <Conversation state={state} controls={controls} onPick={suggest} />
        <NoticeLine state={state} controls={controls} />
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

import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { planLimits } from '#features/credits/contract.ts';
import { loadRunStream } from '#features/generations/web/lazy-run-stream.ts';
import { m } from '#messages';
import { pageTitle } from '#shared/page-title.ts';
import { loadMarkdown } from '#ui/markdown/use-markdown.ts';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { ComposerNotice, loadRefusal } from './composer/composer-notice.tsx';
import { usePrefill, useSuggestedOpening } from './composer/use-opening-text.ts';
import { ChatHeader } from './header/chat-header.tsx';
import { Announcer } from './message-list/announcer.tsx';
import { LazyMessageList, loadMessageList } from './message-list/lazy-message-list.tsx';
import { Greeting, Suggestions } from './new-chat.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import type { ChatProps } from './state/chat-controls.ts';
import type { ChatPageData, ChatState } from './state/chat-state.ts';
import type { DraftContent } from './state/drafts.ts';
import { useChat } from './state/use-chat.ts';
import { useCrossTabSync } from './state/use-cross-tab-sync.ts';
import { useLowCredits } from './state/use-low-credits.ts';
import { useSignInChange } from './state/use-sign-in-change.ts';

function useBalance(credits: number | undefined) {
  useEffect(() => {
    if (credits !== undefined) notifyAccountChanged({ credits });
  }, [credits]);
}

function useTabTitle({ open, missing }: ChatState) {
  const hasStarted = open.stored || open.messages.length > 0;
  const title = missing ? m.chat_missing_name() : hasStarted ? open.title : m.chat_name();
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}

const isEmpty = ({ missing, open }: ChatState) => !missing && open.messages.length === 0;

const MissingChat = lazy(() => import('./missing-chat.tsx'));

function Conversation({ state, controls }: ChatProps) {
  if (state.missing)
    return (
      <Suspense>
        <MissingChat state={state} controls={controls} />
      </Suspense>
    );
  if (isEmpty(state)) return <Greeting state={state} controls={controls} />;
  return <LazyMessageList state={state} controls={controls} />;
}

const ReplyToasts = lazy(() => import('./reply-toasts.tsx'));

/** Loads the toasts when the first reply is running. */
function RunningReplies({ state }: Pick<ChatProps, 'state'>) {
  const running = state.chats.filter((row) => row.running);
  const [first, setFirst] = useState<typeof running>([]);
  if (first.length < 1 && running.length > 0) setFirst(running);
  if (first.length < 1) return null;
  return (
    <Suspense>
      <ReplyToasts first={first} state={state} />
    </Suspense>
  );
}

const loadDialogs = () => import('./chat-dialogs.tsx');
const ChatDialogs = lazy(loadDialogs);

const loadReplies = () =>
  Promise.all([loadMessageList(), loadRunStream(), loadMarkdown(), loadRefusal(), loadDialogs()]);

/** Loads the code of replies and dialogs at the first key, press or input on the page. */
function usePreloadReplies() {
  useEffect(() => {
    const listening = new AbortController();
    const load = () => {
      listening.abort();
      loadReplies().catch(() => undefined);
    };
    for (const eventName of ['keydown', 'pointerdown', 'input'])
      document.addEventListener(eventName, load, { signal: listening.signal });
    return () => listening.abort();
  }, []);
}

export function ChatPage({ data }: { data: ChatPageData }) {
  const composer = useRef<ComposerHandle>(null);
  const returnMessage = useCallback((message: DraftContent) => composer.current?.returnMessage(message), []);
  const quote = useCallback((passage: string) => composer.current?.quote(passage), []);
  const suggest = useCallback((text: string) => composer.current?.suggest(text), []);
  const { state, controls } = useChat(data, { returnMessage, quote });
  const { me } = state;
  useSignInChange(state, controls, composer);
  useSuggestedOpening(state, composer);
  usePrefill(state, composer);
  useShortcuts(state, controls, composer);
  useLowCredits(state, controls);
  useCrossTabSync(state, controls);
  useBalance(me?.credits);
  usePreloadReplies();
  useTabTitle(state);
  const empty = isEmpty(state) ? '' : undefined;
  return (
    <main id="main" className="chat" data-empty={empty}>
      <Sidebar state={state} controls={controls} />
      <div
        className="chat-main relative flex min-h-0 min-w-0 flex-col bg-surface data-empty:overflow-y-auto"
        data-empty={empty}
      >
        <ChatHeader state={state} controls={controls} />
        <Conversation state={state} controls={controls} />
        <ComposerNotice state={state} controls={controls} />
        <noscript>
          <p className="fine chat-unscripted px-6 py-3 text-center">{m.chat_unscripted()}</p>
        </noscript>
        <Composer
          ref={composer}
          state={state}
          controls={controls}
          credits={me && !planLimits[me.plan].unlimited ? me.credits : null}
        />
        {empty === '' ? <Suggestions state={state} onPick={suggest} /> : null}
        <Announcer state={state} />
      </div>
      {state.dialog ? (
        <Suspense>
          <ChatDialogs state={state} controls={controls} />
        </Suspense>
      ) : null}
      <RunningReplies state={state} />
    </main>
  );
}

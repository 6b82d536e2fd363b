import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { local } from '#client/storage.ts';
import type { ComposerHandle } from '../composer/composer.tsx';
import type { ChatControls } from './chat-controls.ts';
import { type ChatState, liveMessage } from './chat-state.ts';
import { claimDrafts, dropPending, isForeign, readPending, sweepDrafts } from './drafts.ts';
import { isShown } from './use-cross-tab-sync.ts';

const subscribeVisibility = (onChange: () => void) => {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
};

/**
 * Sends a message that waited for the sign-in under its stored key, so that a second tab doing the same gets the same
 * reply. Signing out clears what was typed.
 */
export function useSignInChange(
  state: ChatState,
  controls: ChatControls,
  composer: RefObject<ComposerHandle | null>,
) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const sentKey = useRef<string | null>(null);
  const { me, open, missing } = state;
  const person = me?.id;
  const busy = liveMessage(state) !== undefined;
  const shown = useSyncExternalStore(subscribeVisibility, isShown, () => true);
  const hiddenText = useRef('');

  useEffect(() => {
    sweepDrafts(local, 'old');
    const onChange = (event: Event) => {
      sentKey.current = null;
      if ((event as CustomEvent<{ signedIn?: boolean }>).detail?.signedIn !== true) {
        sweepDrafts(local, 'all');
        dropPending(local);
      }
      void revalidate();
    };
    document.addEventListener('auth:changed', onChange);
    return () => document.removeEventListener('auth:changed', onChange);
  }, [revalidate]);

  useEffect(() => {
    if (person !== undefined) claimDrafts(local, person);
  }, [person]);

  useEffect(() => {
    const waiting = me && !busy ? readPending(local) : null;
    const ownMessage = waiting && !isForeign(waiting.owner, me?.id ?? null) ? waiting : null;
    // The link in the mail opens another tab: the message is sent from the tab that the person sees.
    if (ownMessage && !shown) hiddenText.current = ownMessage.text;
    if (shown && me && !ownMessage && hiddenText.current !== '') {
      composer.current?.clearIf(hiddenText.current);
      hiddenText.current = '';
    }
    const pending = shown ? ownMessage : null;
    if (!pending || sentKey.current === pending.key) return;
    if (!pending.create && open.id !== pending.chatId) {
      if (!missing) void navigate(`/chat/${pending.chatId}`);
      else {
        dropPending(local, pending.key);
        composer.current?.returnMessage(pending);
      }
      return;
    }
    sentKey.current = pending.key;
    composer.current?.clearIf(pending.text);
    controls.sendPending(pending);
  }, [me, busy, shown, open.id, missing, navigate, controls, composer]);
}

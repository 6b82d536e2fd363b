import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import type { ChatState } from '../state/chat-state.ts';
import { isForeign } from '../state/drafts.ts';
import { PendingUploads } from './pending-uploads.ts';

/** What a guest dropped or pasted is taken after the sign-in. `keep`: the file of a place has changed. */
export function useAttachments(
  place: string | null,
  { me, owner }: Pick<ChatState, 'me' | 'owner'>,
  keep: (place: string | null) => void,
) {
  const signedIn = me !== null;
  const keeper = useRef(keep);
  keeper.current = keep;
  const [files] = useState(() => new PendingUploads((changed) => keeper.current(changed)));
  const held = useSyncExternalStore(
    files.subscribe,
    () => files.at(place),
    () => null,
  );
  const kit = useSyncExternalStore(files.subscribe, files.kit, () => null);
  const waiting = useRef<File[]>([]);

  const before = useRef(owner);
  useLayoutEffect(() => {
    if (isForeign(before.current, owner)) {
      waiting.current = [];
      files.clear();
    }
    before.current = owner;
  }, [files, owner]);

  const take = useCallback(
    (chosen: File[]) => {
      if (signedIn) return void files.take(place, chosen);
      waiting.current = chosen;
      openSignIn({ next: '/chat/new', reason: m.chat_file_sign_in() });
    },
    [files, place, signedIn],
  );
  useEffect(() => {
    if (signedIn) take(waiting.current.splice(0));
  }, [signedIn, take]);

  const prepare = useCallback(() => {
    // A failure is told when a file is really attached.
    files.prepare().catch(() => undefined);
  }, [files]);

  useEffect(() => {
    const onAuth = (event: Event) => {
      if ((event as CustomEvent<{ signedIn?: boolean }>).detail?.signedIn === false) files.clear();
    };
    document.addEventListener('auth:changed', onAuth);
    return () => {
      document.removeEventListener('auth:changed', onAuth);
      files.clear();
    };
  }, [files]);

  return { files, held, kit, take, prepare };
}

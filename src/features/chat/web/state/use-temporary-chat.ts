import { useEffect, useRef } from 'react';
import { local, session } from '#client/storage.ts';
import { deleteChat } from './chat-api.ts';
import type { OpenChat } from './chat-state.ts';
import { forgetDraft } from './drafts.ts';

/** In the session storage, so that a page of this tab that was loaded anew knows which chat was left. */
const openKey = 'temporary-chat';

let left: string | null = null;

function erase(id: string): void {
  if (session.getItem(openKey) === id) session.removeItem(openKey);
  // What fails here is done by the job of the server.
  deleteChat(id).catch(() => undefined);
}

/** A temporary chat is erased as soon as this tab shows something else; a reload keeps it. */
export function useTemporaryChat({ id, stored, temporary, messages }: OpenChat): void {
  const drafts = useRef<string[]>([]);
  const own = stored && temporary;
  useEffect(() => {
    const before = session.getItem(openKey);
    if (before !== null && before !== id && before !== left) erase(before);
    if (!own) return;
    left = null;
    session.setItem(openKey, id);
    return () => {
      left = id;
      const places = drafts.current;
      // React mounts twice in development.
      queueMicrotask(() => {
        if (left !== id) return;
        for (const place of places) forgetDraft(local, place);
        erase(id);
      });
    };
  }, [id, own]);
  // Not while rendering: what is cleaned up above are the drafts of the chat before.
  useEffect(() => {
    drafts.current = [id, ...messages.map((message) => message.id)];
  });
}

import { useEffect, useRef } from 'react';
import { local, session } from '#client/storage.ts';
import { deleteChat } from './chat-api.ts';
import type { OpenChat } from './chat-state.ts';
import { forgetDraft } from './drafts.ts';

/** In the session storage, so that after a page load this tab knows which chat was left. */
const openKey = 'temporary-chat';

let leftId: string | null = null;

function erase(id: string): void {
  if (session.getItem(openKey) === id) session.removeItem(openKey);
  // If this fails, the server's job erases it.
  deleteChat(id).catch(() => undefined);
}

/** A temporary chat is erased as soon as this tab shows something else; a reload keeps it. */
export function useTemporaryChat({ id, stored, temporary, messages }: OpenChat): void {
  const drafts = useRef<string[]>([]);
  const isTemporary = stored && temporary;
  useEffect(() => {
    const before = session.getItem(openKey);
    if (before !== null && before !== id && before !== leftId) erase(before);
    if (!isTemporary) return;
    leftId = null;
    session.setItem(openKey, id);
    return () => {
      leftId = id;
      const places = drafts.current;
      // React mounts twice in development.
      queueMicrotask(() => {
        if (leftId !== id) return;
        for (const place of places) forgetDraft(local, place);
        erase(id);
      });
    };
  }, [id, isTemporary]);
  // Not during render, because the cleanup above needs the drafts of the previous chat.
  useEffect(() => {
    drafts.current = [id, ...messages.map((message) => message.id)];
  });
}

import { local } from '#client/storage.ts';

/** Stored among the drafts, in their format. */
export const prefillDraftKey = 'handover';

/**
 * Stores text that the composer inserts before its draft the next time it opens, without sending it. `owner` is a user
 * id; `chat` is null for a new chat. @returns false if the browser stores nothing
 */
export function prefillComposer(text: string, owner: string | null, chat: string | null = null): boolean {
  return local.setItem(`draft:${prefillDraftKey}`, JSON.stringify({ text, at: Date.now(), owner, chat }));
}

const isChatId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

export function originChatId(search: string): string | null {
  const id = new URLSearchParams(search).get('chat');
  return id !== null && isChatId(id) ? id : null;
}

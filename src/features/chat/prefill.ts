import { local } from '#client/storage.ts';

/** Among the drafts, and of their form. */
export const prefillDraftKey = 'handover';

/**
 * The composer takes it at its next opening, before what was typed there, and sends nothing. `owner` is a user id,
 * `chat` null for a new one. @returns false where the browser stores nothing.
 */
export function prefillComposer(text: string, owner: string | null, chat: string | null = null): boolean {
  return local.setItem(`draft:${prefillDraftKey}`, JSON.stringify({ text, at: Date.now(), owner, chat }));
}

const isChatId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

export function originChatId(search: string): string | null {
  const id = new URLSearchParams(search).get('chat');
  return id !== null && isChatId(id) ? id : null;
}

import { local } from '#client/storage.ts';

/** Where a text waits that another page has made for the chat: among the drafts, and of their form. */
export const prefillDraftKey = 'handover';

/**
 * Leaves a text for the composer of a chat, which takes it at its next opening, before what was typed there, and
 * sends nothing.
 * @param owner id of the person whose text it is; null for a guest.
 * @param chat id of the chat that it is for; null: a new one.
 * @returns false where the browser stores nothing.
 */
export function prefillComposer(text: string, owner: string | null, chat: string | null = null): boolean {
  return local.setItem(`draft:${prefillDraftKey}`, JSON.stringify({ text, at: Date.now(), owner, chat }));
}

const isChatId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** The chat from which a page was opened to make a text for it (`?chat=`); null for none. */
export function originChatId(search: string): string | null {
  const id = new URLSearchParams(search).get('chat');
  return id !== null && isChatId(id) ? id : null;
}

import { local } from '../../../client/storage.ts';

/** Where a text waits that another page has made for the chat: among the drafts, and of their form. */
export const handoverPlace = 'handover';

/**
 * Leaves a text for the composer of a new chat, which takes it at its next opening, before what was typed there, and
 * sends nothing.
 * @param owner id of the person whose text it is; null for a guest.
 * @returns false where the browser stores nothing.
 */
export function handOver(text: string, owner: string | null): boolean {
  return local.setItem(`draft:${handoverPlace}`, JSON.stringify({ text, at: Date.now(), owner }));
}

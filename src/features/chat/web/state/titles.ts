import type { ChatRow } from '../../contract.ts';
import { fetchChats } from '../run/api.ts';

const shownLetters = 40;

/** A title as a toast names it: cut where it is long. */
export function shortTitle(title: string): string {
  const letters = [...title];
  return letters.length > shownLetters
    ? `${letters
        .slice(0, shownLetters - 1)
        .join('')
        .trimEnd()}…`
    : title;
}

/** Milliseconds before each look for a title that the server is making. */
const looks = [500, 1_000, 2_000, 4_000, 8_000];

const rest = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Looks for the title of a chat after its first exchange and hands over the newest page of the list once the one that is shown is no provisional one. */
export async function awaitTitle(
  chatId: string,
  signal: AbortSignal,
  found: (page: { chats: ChatRow[]; next: string | null }) => void,
) {
  for (const ms of looks) {
    await rest(ms, signal);
    const page = await fetchChats(null);
    signal.throwIfAborted();
    const row = page.chats.find((known) => known.id === chatId);
    if (!row) return;
    if (!row.provisional) {
      found(page);
      return;
    }
  }
}

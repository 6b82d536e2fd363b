import { type ChatRow, defaultTitle } from '../../contract.ts';
import { fetchChats } from '../run/api.ts';

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

/** Looks for the title of a chat after its first exchange and hands over the newest rows once it has one. */
export async function awaitTitle(chatId: string, signal: AbortSignal, found: (chats: ChatRow[]) => void) {
  for (const ms of looks) {
    await rest(ms, signal);
    const { chats } = await fetchChats(null);
    signal.throwIfAborted();
    const row = chats.find((known) => known.id === chatId);
    if (!row) return;
    if (row.title !== defaultTitle) {
      found(chats);
      return;
    }
  }
}

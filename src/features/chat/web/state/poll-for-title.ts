import { delay } from '#client/delay.ts';
import type { ChatPage } from '../../contract.ts';
import { fetchChats } from './chat-api.ts';

/** Milliseconds before each check for a title that the server is generating. */
const delays = [500, 1_000, 2_000, 4_000, 8_000];

export async function pollForTitle(chatId: string, signal: AbortSignal, onTitle: (page: ChatPage) => void) {
  for (const ms of delays) {
    await delay(ms, signal);
    if (signal.aborted) return;
    const page = await fetchChats(null);
    const row = page.chats.find((chat) => chat.id === chatId);
    if (signal.aborted || !row) return;
    if (!row.provisional) return onTitle(page);
  }
}

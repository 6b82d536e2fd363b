import type { Me } from '../../../accounts/contract.ts';
import type { ChatRow } from '../../contract.ts';
import type { ChatAction, ChatState } from './chat-state.ts';

type Of<T extends ChatAction['type']> = Extract<ChatAction, { type: T }>;

/** The list with a chat's row changed and moved to the top, or added there. */
function topRow(chats: ChatRow[], row: ChatRow): ChatRow[] {
  return [row, ...chats.filter((known) => known.id !== row.id)];
}

/** The balance as the server confirmed it. */
export const withCredits = (me: Me | null, credits: number | null): Me | null =>
  me && credits !== null ? { ...me, credits } : me;

/** The chat of an accepted message, on top of the list, and what the message took of the balance and of the day. */
export function begun(state: ChatState, { data, now }: Of<'started'>): Pick<ChatState, 'me' | 'chats'> {
  const { chat, credits } = data;
  const me = withCredits(state.me, credits);
  const left = me?.chatsLeftToday;
  return {
    me: me && chat.isNew && typeof left === 'number' ? { ...me, chatsLeftToday: Math.max(0, left - 1) } : me,
    chats: topRow(state.chats, {
      id: chat.id,
      title: chat.title,
      provisional: chat.isNew || state.chats.some((row) => row.id === chat.id && row.provisional),
      updatedAt: now,
      running: true,
    }),
  };
}

/** The list after a reply has ended. */
export function settled(chats: ChatRow[], { chatId, now }: Of<'ended'>): ChatRow[] {
  const row = chats.find((known) => known.id === chatId);
  return row ? topRow(chats, { ...row, running: false, updatedAt: now }) : chats;
}

/**
 * The newest page of the list as the server has it now. Older rows stay below; one that should be in the page and is
 * not was deleted elsewhere.
 */
export function newest(state: ChatState, { chats, next }: Of<'newest'>): ChatState {
  const fresh = new Set(chats.map((row) => row.id));
  const end = chats.at(-1)?.updatedAt;
  const whole = next === null || end === undefined;
  const stays = (row: ChatRow) => !fresh.has(row.id) && (row.running || (!whole && row.updatedAt < end));
  const below = state.chats.filter(stays);
  const open = chats.find((row) => row.id === state.open.id);
  const known = state.chats.find((row) => row.id === state.open.id);
  return {
    ...state,
    chats: [...chats, ...below],
    gone: open ? false : state.gone || (known !== undefined && !stays(known)),
    next: below.some((row) => !row.running) ? state.next : next,
    open: open ? { ...state.open, title: open.title } : state.open,
  };
}

/** A chat under another title. */
export function titled(state: ChatState, { chatId, title }: Of<'titled'>): ChatState {
  return {
    ...state,
    chats: state.chats.map((row) => (row.id === chatId ? { ...row, title, provisional: false } : row)),
    open: state.open.id === chatId ? { ...state.open, title } : state.open,
  };
}

/** A row that was deleted and is back in its place. */
export function restored(chats: ChatRow[], row: ChatRow): ChatRow[] {
  const others = chats.filter((known) => known.id !== row.id);
  const at = others.findIndex((known) => known.updatedAt < row.updatedAt);
  return at < 0 ? [...others, row] : others.toSpliced(at, 0, row);
}

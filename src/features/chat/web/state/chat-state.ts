import type { Me } from '../../../accounts/contract.ts';
import type { GenerationEvent } from '../../../generations/contract.ts';
import {
  type ChatMessage,
  type ChatRow,
  type ChatView,
  defaultTitle,
  type StartedReply,
} from '../../contract.ts';
import type { LiveText } from '../run/live-text.ts';

/** What the route's loader gives. A guest has no chats; `missing` says that the wanted chat is not the actor's. */
export interface ChatPageData {
  me: Me | null;
  chats: ChatRow[];
  next: string | null;
  chat: ChatView | null;
  missing: boolean;
}

/** A message as the page holds it. */
export interface Turn extends ChatMessage {
  /** Stays the same when the server gives the message its id. */
  key: string;
  /** Text that is arriving; absent once the reply has ended. */
  live?: LiveText;
  /** The server has not accepted it yet. */
  unsent?: boolean;
  /** The reply that this one takes the place of, to put back when it is refused. */
  replaced?: Turn;
  stopping?: boolean;
  /** The session ended while it arrived; the server goes on with it. */
  cutOff?: boolean;
}

export interface OpenChat {
  id: string;
  /** False until the server has made it. */
  stored: boolean;
  title: string;
  turns: Turn[];
  older: string | null;
}

/** A refusal or failure to be read above the composer. */
export interface Notice {
  text: string;
  code: string;
}

export interface ChatState {
  me: Me | null;
  chats: ChatRow[];
  next: string | null;
  open: OpenChat;
  missing: boolean;
  notice: Notice | null;
}

type EndData = Extract<GenerationEvent, { event: 'end' }>['data'];

export type ChatAction =
  | { type: 'loaded'; data: ChatPageData; newId: string }
  | { type: 'fresh'; id: string }
  | { type: 'sending'; text: string; keys: { question: string; reply: string }; live: LiveText; now: string }
  | { type: 'replacing'; key: string; reply: string; live: LiveText; now: string }
  | { type: 'following'; key: string; live: LiveText }
  | { type: 'started'; reply: string; question: string | null; data: StartedReply; now: string }
  | { type: 'refused'; reply: string; question: string | null; notice: Notice | null }
  | { type: 'stopping'; reply: string }
  | { type: 'ended'; chatId: string; reply: string; text: string; data: EndData; now: string }
  | { type: 'signed-out'; reply: string; text: string; notice: Notice }
  | { type: 'older'; before: string; view: ChatView }
  | { type: 'page'; before: string | null; chats: ChatRow[]; next: string | null }
  | { type: 'newest'; chats: ChatRow[] }
  | { type: 'me'; me: Me }
  | { type: 'notice'; notice: Notice | null };

export const isLive = (turn: Turn) => !turn.cutOff && (turn.state === 'queued' || turn.state === 'running');

/** The reply that is being written in the open chat. */
export const liveTurn = (state: ChatState): Turn | undefined => state.open.turns.findLast(isLive);

const emptyChat = (id: string): OpenChat => ({
  id,
  stored: false,
  title: defaultTitle,
  turns: [],
  older: null,
});

const toTurn = (message: ChatMessage): Turn => ({ ...message, key: message.id });

/** The page's state for what the loader gave. `newId` is the id of a chat that may be begun. */
export function firstState(data: ChatPageData, newId: string): ChatState {
  const { me, chats, next, chat, missing } = data;
  const open = chat ? openView(chat) : emptyChat(newId);
  return { me, chats, next, open, missing, notice: null };
}

const openView = ({ id, title, messages, older }: ChatView): OpenChat => ({
  id,
  stored: true,
  title,
  turns: messages.map(toTurn),
  older,
});

/** Keeps what the page knows of turns that the loader gives again: their keys, arriving texts and unsent messages. */
function carryOver(before: OpenChat, after: OpenChat): OpenChat {
  if (before.id !== after.id) return after;
  const known = new Map(before.turns.map((turn) => [turn.id, turn]));
  const turns = after.turns.map((turn) => {
    const old = known.get(turn.id);
    if (!old) return turn;
    return isLive(turn) ? { ...turn, key: old.key, live: old.live } : { ...turn, key: old.key };
  });
  return { ...after, turns: [...turns, ...before.turns.filter((turn) => turn.unsent)] };
}

const message = (role: Turn['role'], key: string, content: string, now: string): Turn => ({
  key,
  id: key,
  parentId: null,
  role,
  content,
  createdAt: now,
  state: role === 'user' ? 'done' : 'queued',
  generationId: null,
  finishReason: null,
  error: null,
  creditsCharged: 0,
  unsent: true,
});

const withTurns = (state: ChatState, turns: Turn[]): ChatState => ({
  ...state,
  open: { ...state.open, turns },
});

const changeTurn = (state: ChatState, key: string, change: (turn: Turn) => Turn): ChatState =>
  withTurns(
    state,
    state.open.turns.map((turn) => (turn.key === key ? change(turn) : turn)),
  );

/** The list with a chat's row changed and moved to the top, or added there. */
function topRow(chats: ChatRow[], row: ChatRow): ChatRow[] {
  return [row, ...chats.filter((known) => known.id !== row.id)];
}

const withCredits = (me: Me | null, credits: number | null): Me | null =>
  me && credits !== null ? { ...me, credits } : me;

function started(state: ChatState, action: Extract<ChatAction, { type: 'started' }>): ChatState {
  const { chat, message: question, reply, generation, credits } = action.data;
  const turns = state.open.turns.map((turn): Turn => {
    if (turn.key === action.question) return { ...turn, id: question.id, unsent: false };
    if (turn.key !== action.reply) return turn;
    const { replaced: _, ...rest } = turn;
    return {
      ...rest,
      id: reply.id,
      parentId: question.id,
      generationId: generation.id,
      state: generation.state,
      unsent: false,
    };
  });
  const isOpen = state.open.id === chat.id;
  const left = state.me?.chatsLeftToday;
  const me = withCredits(state.me, credits);
  return {
    ...state,
    me: me && chat.isNew && typeof left === 'number' ? { ...me, chatsLeftToday: Math.max(0, left - 1) } : me,
    chats: topRow(state.chats, { id: chat.id, title: chat.title, updatedAt: action.now, running: true }),
    open: isOpen ? { ...state.open, stored: true, title: chat.title, turns } : state.open,
  };
}

/** Takes back what the server did not accept. */
function refused(state: ChatState, action: Extract<ChatAction, { type: 'refused' }>): ChatState {
  const turns = state.open.turns.flatMap((turn) => {
    if (turn.key === action.question) return [];
    if (turn.key !== action.reply) return [turn];
    return turn.replaced ? [turn.replaced] : [];
  });
  return { ...withTurns(state, turns), notice: action.notice ?? state.notice };
}

function ended(state: ChatState, action: Extract<ChatAction, { type: 'ended' }>): ChatState {
  const { data, text, now } = action;
  const finished = changeTurn(state, action.reply, (turn) => {
    const { live: _, stopping: __, ...rest } = turn;
    return {
      ...rest,
      content: text,
      state: data.state,
      finishReason: data.finishReason,
      error: data.error?.message ?? null,
      creditsCharged: data.creditsCharged,
    };
  });
  const row = state.chats.find((known) => known.id === action.chatId);
  return {
    ...finished,
    me: withCredits(state.me, data.credits),
    chats: row ? topRow(state.chats, { ...row, running: false, updatedAt: now }) : state.chats,
  };
}

/** The page is a guest's from now on; what has arrived stays, and the rest comes after the next sign-in. */
function signedOut(state: ChatState, action: Extract<ChatAction, { type: 'signed-out' }>): ChatState {
  const left = changeTurn(state, action.reply, (turn) => {
    const { live: _, stopping: __, ...rest } = turn;
    return { ...rest, content: action.text, cutOff: true };
  });
  return { ...left, me: null, notice: action.notice };
}

/** Titles that were made since, in the list and above the open chat. */
function newest(state: ChatState, chats: ChatRow[]): ChatState {
  const fresh = new Set(chats.map((row) => row.id));
  const open = chats.find((row) => row.id === state.open.id);
  return {
    ...state,
    chats: [...chats, ...state.chats.filter((row) => !fresh.has(row.id))],
    open: open ? { ...state.open, title: open.title } : state.open,
  };
}

function replace(state: ChatState, action: Extract<ChatAction, { type: 'replacing' }>): ChatState {
  const turns = state.open.turns.map((turn) =>
    turn.key === action.key
      ? { ...message('assistant', action.reply, '', action.now), live: action.live, replaced: turn }
      : turn,
  );
  return { ...withTurns(state, turns), notice: null };
}

function send(state: ChatState, action: Extract<ChatAction, { type: 'sending' }>): ChatState {
  const { keys, text, live, now } = action;
  const added = [
    message('user', keys.question, text, now),
    { ...message('assistant', keys.reply, '', now), live },
  ];
  return { ...withTurns(state, [...state.open.turns, ...added]), notice: null };
}

function addOlder(state: ChatState, { before, view }: Extract<ChatAction, { type: 'older' }>): ChatState {
  if (view.id !== state.open.id || before !== state.open.older) return state;
  const turns = [...view.messages.map(toTurn), ...state.open.turns];
  return { ...state, open: { ...state.open, turns, older: view.older } };
}

/** All changes of the page's state. Texts of running replies are outside of it, in their LiveText. */
export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded': {
      const next = firstState(action.data, action.newId);
      return { ...next, open: carryOver(state.open, next.open) };
    }
    case 'fresh':
      return { ...state, open: emptyChat(action.id), missing: false, notice: null };
    case 'sending':
      return send(state, action);
    case 'replacing':
      return replace(state, action);
    case 'following':
      return changeTurn(state, action.key, (turn) => ({ ...turn, live: action.live }));
    case 'started':
      return started(state, action);
    case 'refused':
      return refused(state, action);
    case 'stopping':
      return changeTurn(state, action.reply, (turn) => ({ ...turn, stopping: true }));
    case 'ended':
      return ended(state, action);
    case 'signed-out':
      return signedOut(state, action);
    case 'older':
      return addOlder(state, action);
    case 'page':
      if (action.before !== state.next) return state;
      return { ...state, chats: [...state.chats, ...action.chats], next: action.next };
    case 'newest':
      return newest(state, action.chats);
    case 'me':
      return { ...state, me: action.me };
    case 'notice':
      return { ...state, notice: action.notice };
  }
}

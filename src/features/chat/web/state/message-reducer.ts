import type { LiveText } from '#features/generations/web/live-text.ts';
import type { StartedReply } from '../../contract.ts';
import {
  type ChatAction,
  type ChatState,
  isLive,
  type Message,
  type OpenChat,
  openPair,
  replyToContinue,
  toOpenChat,
} from './chat-state.ts';

type ActionOf<T extends ChatAction['type']> = Extract<ChatAction, { type: T }>;

const message = (role: Message['role'], key: string, content: string, now: string): Message => ({
  key,
  id: key,
  parentId: null,
  role,
  content,
  createdAt: now,
  state: role === 'user' ? 'done' : 'queued',
  generationId: null,
  requestKey: null,
  finishReason: null,
  error: null,
  creditsCharged: 0,
  model: null,
  answeredBy: null,
  thoughtMs: null,
  web: null,
  takenOver: 0,
  leftOut: 0,
  filesLeftOut: [],
  assistantName: null,
  versions: null,
  beside: null,
  rating: null,
  images: null,
  attachments: [],
  unsent: true,
  sentHere: true,
});

const pendingReply = (key: string, now: string, live: LiveText, searching: boolean | undefined): Message => ({
  ...message('assistant', key, '', now),
  live,
  searching,
});

const withMessages = (state: ChatState, turns: Message[]): ChatState => ({
  ...state,
  open: { ...state.open, messages: turns },
});

export const changeMessage = (state: ChatState, key: string, change: (turn: Message) => Message): ChatState =>
  withMessages(
    state,
    state.open.messages.map((turn) => (turn.key === key ? change(turn) : turn)),
  );

function splitAt(turns: Message[], key: string | null): [Message[], Message[]] {
  const at = key === null ? -1 : turns.findIndex((turn) => turn.key === key);
  return at < 0 ? [turns, []] : [turns.slice(0, at), turns.slice(at)];
}

/** The next message continues from one of two replies; a refusal brings the other one back. */
function withoutOther(turns: Message[]): Message[] {
  const pair = openPair(turns);
  return pair ? [...turns.slice(0, -2), { ...replyToContinue(pair), pair }] : turns;
}

/** Two replies side by side count as one. */
const countExchanges = (turns: Message[]) => turns.length - Number(openPair(turns) !== undefined);

export function addSending(state: ChatState, action: ActionOf<'sending'>): ChatState {
  const { keys, text, attachments, live, now, web, draw, other } = action;
  const [above, replaced] = splitAt(state.open.messages, action.replaces);
  const remaining = withoutOther(above);
  const question = { ...message('user', keys.question, text, now), attachments };
  // More than the question and its reply.
  const followed = countExchanges(replaced) > 2;
  const shown = replaced.length > 0 ? { ...question, replaced, followed } : question;
  const images = draw ? { jobId: null, prompt: text, size: draw, pictures: [] } : null;
  const reply = { ...pendingReply(keys.reply, now, live, web), images };
  const added = other
    ? [
        shown,
        { ...reply, model: other.first, beside: { id: other.key, model: other.model } },
        {
          ...message('assistant', other.key, '', now),
          searching: web,
          model: other.model,
          beside: { id: reply.id, model: other.first },
        },
      ]
    : [shown, reply];
  // A message written on the page of a missing chat starts a new one.
  return { ...withMessages(state, [...remaining, ...added]), missing: false, notice: null, editing: null };
}

export function addReplacing(state: ChatState, action: ActionOf<'replacing'>): ChatState {
  const { key, reply, continues, live, now, web, draws } = action;
  const pair = openPair(state.open.messages);
  const [remaining, replaced] = splitAt(state.open.messages, pair?.[1].key === key ? pair[0].key : key);
  const before = replaced.find((turn) => turn.key === key);
  const initialText = continues ? (before?.content ?? '') : '';
  const turn = {
    ...pendingReply(reply, now, live, web),
    ...(continues ? { web: before?.web ?? null } : {}),
    images: draws && before?.images ? { ...before.images, pictures: [] } : null,
    content: initialText,
    takenOver: initialText.length,
    replaced,
    followed: countExchanges(replaced) > 1,
  };
  return { ...withMessages(state, [...remaining, turn]), notice: null, editing: null };
}

const versionsAfter = (replaced: Message | undefined, id: string) =>
  replaced ? [...(replaced.versions ?? [replaced.id]), id] : null;

/** Whether it is the other one of two replies that are being sent. */
const isOtherReply = (turn: Message, reply: string) => turn.unsent === true && turn.beside?.id === reply;

/** Sets the server's ids; removes copies of these messages that the page already has because another tab sent them. */
export function withServerIds(open: OpenChat, action: ActionOf<'started'>): OpenChat {
  const { chat, message: question, reply, generation }: StartedReply = action.data;
  const { compared } = action.data;
  const isOther = (turn: Message) => compared !== undefined && isOtherReply(turn, action.reply);
  const isAccepted = (turn: Message) =>
    turn.key === action.question || turn.key === action.reply || isOther(turn);
  const serverIds = new Set([question.id, reply.id, compared?.reply.id]);
  const remaining =
    action.question === null
      ? open.messages
      : open.messages.filter((turn) => isAccepted(turn) || !serverIds.has(turn.id));
  const turns = remaining.map((turn): Message => {
    if (!isAccepted(turn)) return turn;
    const { replaced, unsent: _, pair: __, ...rest } = turn;
    if (turn.key === action.question)
      return { ...rest, ...question, versions: versionsAfter(replaced?.[0], question.id) };
    const [own, run, other] = isOther(turn)
      ? [compared?.reply ?? reply, compared?.generation ?? generation, reply]
      : [reply, generation, compared?.reply];
    return {
      ...rest,
      id: own.id,
      parentId: question.id,
      generationId: run.id,
      assistantName: reply.assistantName,
      model: own.model,
      state: run.state,
      versions: compared ? [compared.reply.id, reply.id] : versionsAfter(replaced?.[0], reply.id),
      beside: other && rest.beside ? { ...rest.beside, id: other.id } : null,
    };
  });
  return { ...open, stored: true, title: chat.title, messages: turns };
}

export function refused(state: ChatState, action: ActionOf<'refused'>): ChatState {
  const turns = state.open.messages.flatMap((turn) =>
    turn.key === action.question || turn.key === action.reply || isOtherReply(turn, action.reply)
      ? (turn.replaced ?? [])
      : [turn],
  );
  const pair = turns.at(-1)?.pair;
  if (pair) turns.splice(-1, 1, ...pair);
  const edit = state.open.messages.find((turn) => turn.key === action.question)?.replaced?.[0]?.key;
  const notice = action.notice && edit !== undefined ? { ...action.notice, edit } : action.notice;
  return { ...withMessages(state, turns), notice: notice ?? state.notice };
}

export function finish(state: ChatState, { reply, text, data }: ActionOf<'ended'>): ChatState {
  return changeMessage(state, reply, (turn) => {
    const { live: _, stopping: __, ...rest } = turn;
    return {
      ...rest,
      ...(turn.images ? { steps: text } : { content: text }),
      state: data.state,
      finishReason: data.finishReason,
      error: data.error?.message ?? null,
      creditsCharged: data.creditsCharged,
      answeredBy: data.answeredBy,
      thoughtMs: data.thoughtMs,
    };
  });
}

export function signedOut(state: ChatState, action: ActionOf<'signed-out'>): ChatState {
  const signedOutState = changeMessage(state, action.reply, (turn) => {
    const { live: _, stopping: __, ...rest } = turn;
    return { ...rest, content: turn.images ? '' : action.text, cutOff: true };
  });
  return { ...signedOutState, me: null, notice: action.notice };
}

export function addOlder(state: ChatState, { before, view }: ActionOf<'older'>): ChatState {
  const { open } = state;
  if (view.id !== open.id || before !== open.older) return state;
  const messages = [...toOpenChat(view).messages, ...open.messages];
  return { ...state, open: { ...open, messages, older: view.older } };
}

export function addNewer(state: ChatState, { after, view }: ActionOf<'newer'>): ChatState {
  const { open } = state;
  if (view.id !== open.id || after !== open.newer) return state;
  const messages = [...open.messages, ...toOpenChat(view).messages];
  return { ...state, open: { ...open, messages, newer: view.newer } };
}

/**
 * Keeps what only the page has: keys, arriving texts, messages being sent in place of those that they replace, and
 * earlier messages if the new window continues them.
 */
export function mergeOpenChat(before: OpenChat, after: OpenChat): OpenChat {
  if (before.id !== after.id) return after;
  const previousById = new Map(before.messages.map((turn) => [turn.id, turn]));
  const unsent = before.messages.filter((turn) => turn.unsent);
  const replaced = new Set(unsent.flatMap((turn) => turn.replaced ?? []).map((turn) => turn.id));
  const merged = after.messages
    .filter((turn) => !replaced.has(turn.id))
    .map((turn) => {
      const old = previousById.get(turn.id);
      if (!old) return turn;
      const updated = { ...turn, key: old.key, followed: old.followed };
      return isLive(turn) ? { ...updated, live: old.live } : updated;
    });
  const at = before.messages.findIndex((turn) => turn.id === after.messages[0]?.id);
  const earlier = before.messages.slice(0, Math.max(at, 0));
  return {
    ...after,
    web: before.web,
    draw: before.draw,
    messages: [...earlier, ...merged, ...unsent],
    older: earlier.length > 0 ? before.older : after.older,
  };
}

/** Shows a chat as the server has it now: another branch, or messages sent elsewhere. */
export function showView(state: ChatState, { view }: ActionOf<'view'>): ChatState {
  if (view.id !== state.open.id) return state;
  const open = mergeOpenChat(state.open, toOpenChat(view));
  const stillEditing = open.messages.some((turn) => turn.key === state.editing);
  const { notice } = state;
  // A returned message that the server has accepted after all.
  const wasAccepted =
    notice?.key !== undefined && open.messages.some((turn) => turn.requestKey === notice.key);
  return {
    ...state,
    open,
    editing: stillEditing ? state.editing : null,
    notice: wasAccepted ? null : notice,
  };
}

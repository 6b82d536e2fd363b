import type { LiveText } from '#features/generations/web/live-text.ts';
import type { StartedReply } from '../../contract.ts';
import {
  type ChatAction,
  type ChatState,
  goesOnFrom,
  isLive,
  type Message,
  type OpenChat,
  openPair,
  toOpenChat,
} from './chat-state.ts';

type Of<T extends ChatAction['type']> = Extract<ChatAction, { type: T }>;

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

const awaited = (key: string, now: string, live: LiveText, searching: boolean | undefined): Message => ({
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
  return pair ? [...turns.slice(0, -2), { ...goesOnFrom(pair), pair }] : turns;
}

/** Two replies side by side count as one. */
const depthOf = (turns: Message[]) => turns.length - Number(openPair(turns) !== undefined);

export function addSending(state: ChatState, action: Of<'sending'>): ChatState {
  const { keys, text, attachments, live, now, web, draw, other } = action;
  const [above, replaced] = splitAt(state.open.messages, action.replaces);
  const kept = withoutOther(above);
  const question = { ...message('user', keys.question, text, now), attachments };
  // More than the question and its reply.
  const followed = depthOf(replaced) > 2;
  const shown = replaced.length > 0 ? { ...question, replaced, followed } : question;
  const images = draw ? { jobId: null, prompt: text, size: draw, pictures: [] } : null;
  const reply = { ...awaited(keys.reply, now, live, web), images };
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
  return { ...withMessages(state, [...kept, ...added]), missing: false, notice: null, editing: null };
}

export function addReplacing(state: ChatState, action: Of<'replacing'>): ChatState {
  const { key, reply, goesOn, live, now, web, draws } = action;
  const pair = openPair(state.open.messages);
  const [kept, replaced] = splitAt(state.open.messages, pair?.[1].key === key ? pair[0].key : key);
  const before = replaced.find((turn) => turn.key === key);
  const begun = goesOn ? (before?.content ?? '') : '';
  const turn = {
    ...awaited(reply, now, live, web),
    ...(goesOn ? { web: before?.web ?? null } : {}),
    images: draws && before?.images ? { ...before.images, pictures: [] } : null,
    content: begun,
    takenOver: begun.length,
    replaced,
    followed: depthOf(replaced) > 1,
  };
  return { ...withMessages(state, [...kept, turn]), notice: null, editing: null };
}

const versionsAfter = (replaced: Message | undefined, id: string) =>
  replaced ? [...(replaced.versions ?? [replaced.id]), id] : null;

/** Whether it is the other one of two replies that are being sent. */
const isBeside = (turn: Message, reply: string) => turn.unsent === true && turn.beside?.id === reply;

/** Sets the server's ids; removes copies of these messages that the page already has because another tab sent them. */
export function withServerIds(open: OpenChat, action: Of<'started'>): OpenChat {
  const { chat, message: question, reply, generation }: StartedReply = action.data;
  const { compared } = action.data;
  const isOther = (turn: Message) => compared !== undefined && isBeside(turn, action.reply);
  const isNamed = (turn: Message) =>
    turn.key === action.question || turn.key === action.reply || isOther(turn);
  const known = new Set([question.id, reply.id, compared?.reply.id]);
  const kept =
    action.question === null
      ? open.messages
      : open.messages.filter((turn) => isNamed(turn) || !known.has(turn.id));
  const turns = kept.map((turn): Message => {
    if (!isNamed(turn)) return turn;
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

export function refused(state: ChatState, action: Of<'refused'>): ChatState {
  const turns = state.open.messages.flatMap((turn) =>
    turn.key === action.question || turn.key === action.reply || isBeside(turn, action.reply)
      ? (turn.replaced ?? [])
      : [turn],
  );
  const pair = turns.at(-1)?.pair;
  if (pair) turns.splice(-1, 1, ...pair);
  const edit = state.open.messages.find((turn) => turn.key === action.question)?.replaced?.[0]?.key;
  const notice = action.notice && edit !== undefined ? { ...action.notice, edit } : action.notice;
  return { ...withMessages(state, turns), notice: notice ?? state.notice };
}

export function finish(state: ChatState, { reply, text, data }: Of<'ended'>): ChatState {
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

export function signedOut(state: ChatState, action: Of<'signed-out'>): ChatState {
  const left = changeMessage(state, action.reply, (turn) => {
    const { live: _, stopping: __, ...rest } = turn;
    return { ...rest, content: turn.images ? '' : action.text, cutOff: true };
  });
  return { ...left, me: null, notice: action.notice };
}

export function addOlder(state: ChatState, { before, view }: Of<'older'>): ChatState {
  const { open } = state;
  if (view.id !== open.id || before !== open.older) return state;
  const messages = [...toOpenChat(view).messages, ...open.messages];
  return { ...state, open: { ...open, messages, older: view.older } };
}

export function addNewer(state: ChatState, { after, view }: Of<'newer'>): ChatState {
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
  const known = new Map(before.messages.map((turn) => [turn.id, turn]));
  const unsent = before.messages.filter((turn) => turn.unsent);
  const replaced = new Set(unsent.flatMap((turn) => turn.replaced ?? []).map((turn) => turn.id));
  const again = after.messages
    .filter((turn) => !replaced.has(turn.id))
    .map((turn) => {
      const old = known.get(turn.id);
      if (!old) return turn;
      const kept = { ...turn, key: old.key, followed: old.followed };
      return isLive(turn) ? { ...kept, live: old.live } : kept;
    });
  const at = before.messages.findIndex((turn) => turn.id === after.messages[0]?.id);
  const earlier = before.messages.slice(0, Math.max(at, 0));
  return {
    ...after,
    web: before.web,
    draw: before.draw,
    messages: [...earlier, ...again, ...unsent],
    older: earlier.length > 0 ? before.older : after.older,
  };
}

/** Shows a chat as the server has it now: another branch, or messages sent elsewhere. */
export function show(state: ChatState, { view }: Of<'view'>): ChatState {
  if (view.id !== state.open.id) return state;
  const open = mergeOpenChat(state.open, toOpenChat(view));
  const edits = open.messages.some((turn) => turn.key === state.editing);
  const { notice } = state;
  // A returned message that the server has accepted after all.
  const taken = notice?.key !== undefined && open.messages.some((turn) => turn.requestKey === notice.key);
  return { ...state, open, editing: edits ? state.editing : null, notice: taken ? null : notice };
}

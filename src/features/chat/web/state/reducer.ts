import type { Me } from '#features/accounts/contract.ts';
import type { ImageSize } from '#features/images/contract.ts';
import type { ChatRow } from '../../contract.ts';
import type { ProjectRow } from '../../projects/projects-contract.ts';
import { type ChatAction, type ChatState, emptyChat, firstState } from './chat-state.ts';
import {
  addNewer,
  addOlder,
  addReplacing,
  addSending,
  changeMessage,
  finish,
  mergeOpenChat,
  refused,
  showView,
  signedOut,
  withServerIds,
} from './message-reducer.ts';

/** The texts of running replies are not in the state but in their LiveText. */
export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded': {
      // A guest's message may wait under this id: whichever tab sends it after the sign-in, this one shows its chat.
      const stillEmpty = state.me === null && !state.open.stored && state.open.messages.length === 0;
      const next = firstState(action.data, stillEmpty ? state.open.id : action.newId);
      const open = mergeOpenChat(state.open, next.open);
      const same = open.id === state.open.id;
      const { chats, next: more } =
        next.me?.id === state.me?.id ? withNewestPage(state, { type: 'newest', ...action.data }) : next;
      const owner = next.owner ?? state.owner;
      const samePerson = state.owner === null || owner === state.owner;
      return {
        ...next,
        owner,
        chats,
        next: more,
        open,
        dialog: samePerson ? state.dialog : null,
        editing: same ? state.editing : null,
      };
    }
    case 'fresh':
      return {
        ...state,
        open: emptyChat(action.id, action.assistant, action.temporary, state.me?.chatModel ?? null),
        missing: false,
        deletedElsewhere: false,
        notice: null,
        editing: null,
      };
    case 'sending':
      return withDraw(addSending(state, action), null);
    case 'replacing':
      return addReplacing(state, action);
    case 'following':
      return changeMessage(state, action.key, (turn) => ({ ...turn, live: action.live }));
    case 'started': {
      const isOpen = state.open.id === action.data.chat.id;
      return {
        ...state,
        ...withStartedReply(state, action),
        open: isOpen ? { ...withServerIds(state.open, action), archivedAt: null } : state.open,
      };
    }
    case 'refused': {
      const restored = refused(state, action);
      const deletedElsewhere = action.notice?.code === 'not_found' && state.open.stored;
      if (action.notice?.code === 'model_gone')
        return restored.open.compare === null ? withModel(restored, null) : withCompared(restored, null);
      return deletedElsewhere ? { ...restored, deletedElsewhere, notice: null } : restored;
    }
    case 'stopping':
      return changeMessage(state, action.reply, (turn) => ({ ...turn, stopping: true }));
    case 'ended':
      return {
        ...finish(state, action),
        me: withCredits(state.me, action.data.credits),
        chats: withEndedReply(state.chats, action),
      };
    case 'signed-out':
      return signedOut(state, action);
    case 'older':
      return addOlder(state, action);
    case 'newer':
      return addNewer(state, action);
    case 'view':
      return showView(state, action);
    case 'page':
      if (action.before !== state.next) return state;
      return { ...state, chats: withPage(state.chats, action.chats), next: action.next };
    case 'newest':
      return withNewestPage(state, action);
    case 'titled':
      return withTitle(state, action);
    case 'removed':
      return { ...state, chats: state.chats.filter((row) => row.id !== action.chatId) };
    case 'arranged':
      return withArrangedChat(state, action);
    case 'web':
      return { ...state, open: { ...state.open, web: action.on } };
    case 'draw':
      return withDraw(state, action.size);
    case 'compare':
      return withCompared(state, action.model);
    case 'chosen':
      return withModel(state, action.model);
    case 'me':
      return { ...state, me: action.me };
    case 'lost':
      return { ...state, me: null };
    case 'edit':
      return {
        ...withDraw(state, null),
        editing: action.key,
        notice: action.key === null && state.notice?.edit !== undefined ? null : state.notice,
      };
    case 'dialog':
      return { ...state, dialog: action.dialog };
    case 'notice':
      return { ...state, notice: action.notice };
  }
}

type ActionOf<T extends ChatAction['type']> = Extract<ChatAction, { type: T }>;

/** Also applies to the next chat. */
const withModel = (state: ChatState, model: string | null): ChatState => ({
  ...state,
  open: { ...state.open, model },
  me: state.me && { ...state.me, chatModel: model },
});

const withDraw = (state: ChatState, draw: ImageSize | null): ChatState => ({
  ...state,
  open: { ...state.open, draw },
});

const withCompared = (state: ChatState, compare: string | null): ChatState => ({
  ...state,
  open: { ...state.open, compare },
});

function topRow(chats: ChatRow[], row: ChatRow): ChatRow[] {
  return [row, ...chats.filter((other) => other.id !== row.id)];
}

const withCredits = (me: Me | null, credits: number | null): Me | null =>
  me && credits !== null ? { ...me, credits } : me;

function withStartedReply(
  state: ChatState,
  { data, now }: ActionOf<'started'>,
): Pick<ChatState, 'me' | 'chats'> {
  const { chat, credits } = data;
  const charged = withCredits(state.me, credits);
  const me = charged && { ...charged, instructed: data.instructed };
  const left = me?.chatsLeftToday;
  const existing = state.chats.find((row) => row.id === chat.id);
  return {
    me: me && chat.isNew && typeof left === 'number' ? { ...me, chatsLeftToday: Math.max(0, left - 1) } : me,
    chats: chat.temporary
      ? state.chats
      : topRow(state.chats, {
          id: chat.id,
          title: chat.title,
          provisional: chat.isNew || existing?.provisional === true,
          updatedAt: now,
          running: true,
          pinnedAt: existing?.pinnedAt ?? null,
          archivedAt: null,
          assistant: state.open.assistant,
          projectId:
            state.open.id === chat.id ? (state.open.project?.id ?? null) : (existing?.projectId ?? null),
        }),
  };
}

function withEndedReply(chats: ChatRow[], { chatId, now, more = false }: ActionOf<'ended'>): ChatRow[] {
  const row = chats.find((chat) => chat.id === chatId);
  return row ? topRow(chats, { ...row, running: more, updatedAt: now }) : chats;
}

/** Returns a test for rows that are not on the newest page of the list but still belong below it. */
export function belongsBelow({
  chats,
  next,
}: Pick<ActionOf<'newest'>, 'chats' | 'next'>): (row: ChatRow) => boolean {
  const pageIds = new Set(chats.map((row) => row.id));
  const end = chats.findLast(({ pinnedAt }) => pinnedAt === null)?.updatedAt;
  const isComplete = next === null || end === undefined;
  return (row) => !pageIds.has(row.id) && (row.running || (!isComplete && row.updatedAt < end));
}

/** A chat restored meanwhile may already be in the list; the row of the page replaces it. */
function withPage(chats: ChatRow[], page: ChatRow[]): ChatRow[] {
  const pageIds = new Set(page.map((row) => row.id));
  return [...chats.filter((row) => !pageIds.has(row.id)), ...page];
}

/** Returns the project of a listed chat, or null. */
const listedProject = (projects: ProjectRow[], { projectId }: ChatRow) =>
  projects.find(({ id }) => id === projectId) ?? null;

function withNewestPage(state: ChatState, { chats, next, projects }: ActionOf<'newest'>): ChatState {
  const belongs = belongsBelow({ chats, next });
  // Every pinned chat is on the first page, so those below are no longer pinned.
  const below = state.chats.filter(belongs).map((row) => (row.pinnedAt ? { ...row, pinnedAt: null } : row));
  const open = chats.find((row) => row.id === state.open.id);
  const previous = state.chats.find((row) => row.id === state.open.id);
  return {
    ...state,
    projects,
    chats: [...chats, ...below],
    deletedElsewhere: open ? false : state.deletedElsewhere || (previous !== undefined && !belongs(previous)),
    next: below.some((row) => !row.running) ? state.next : next,
    open: open
      ? { ...state.open, title: open.title, archivedAt: null, project: listedProject(projects, open) }
      : state.open,
  };
}

function withTitle(state: ChatState, { chatId, title }: ActionOf<'titled'>): ChatState {
  return {
    ...state,
    chats: state.chats.map((row) => (row.id === chatId ? { ...row, title, provisional: false } : row)),
    open: state.open.id === chatId ? { ...state.open, title } : state.open,
  };
}

/** Shows a chat that was pinned, archived or restored, here or elsewhere. */
function withArrangedChat(state: ChatState, { row }: ActionOf<'arranged'>): ChatState {
  const others = state.chats.filter((other) => other.id !== row.id);
  const before = others.findIndex(
    ({ pinnedAt, updatedAt }) => pinnedAt === null && updatedAt < row.updatedAt,
  );
  const at = before < 0 ? others.length : before;
  const isOpen = row.id === state.open.id;
  return {
    ...state,
    chats: row.archivedAt === null ? others.toSpliced(at, 0, row) : others,
    deletedElsewhere: state.deletedElsewhere && !isOpen,
    open: isOpen
      ? { ...state.open, archivedAt: row.archivedAt, project: listedProject(state.projects, row) }
      : state.open,
  };
}

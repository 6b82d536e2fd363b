import type { Me } from '../../../accounts/contract.ts';
import type { GenerationEvent } from '../../../generations/contract.ts';
import type { LiveText } from '../../../generations/web/live-text.ts';
import type { Attachment } from '../../attachments/contract.ts';
import {
  type Assistant,
  type ChatMessage,
  type ChatRow,
  type ChatView,
  defaultTitle,
  type StartedReply,
} from '../../contract.ts';

/** What the route's loader gives. A guest has no chats; `missing` says that the wanted chat is not the actor's. */
export interface ChatPageData {
  me: Me | null;
  chats: ChatRow[];
  next: string | null;
  chat: ChatView | null;
  missing: boolean;
  /** The wanted chat was deleted and can be brought back. */
  deleted: { id: string; title: string } | null;
  assistants: Assistant[];
  /** Id of the assistant that a new chat begins with. */
  assistant: string;
  /** Addresses of tools that have a page of their own. */
  toolPages: string[];
  /** The message that the address asks to be shown, as a search hit does. */
  at: string | null;
  /** ISO 8601: the time of the server at which the page was made. */
  now: string;
}

/** A message as the page holds it. */
export interface Turn extends ChatMessage {
  /** Stays the same when the server gives the message its id. */
  key: string;
  /** Text that is arriving; absent once the reply has ended. */
  live?: LiveText;
  /** The server has not accepted it yet. */
  unsent?: boolean;
  /** The turns that this one takes the place of, to put back when it is refused. */
  replaced?: Turn[];
  stopping?: boolean;
  /** Messages followed the version that this one took the place of; they stay there. */
  followed?: boolean;
  /** The session ended while it arrived; the server goes on with it. */
  cutOff?: boolean;
}

export interface OpenChat {
  id: string;
  /** False until the server has made it. */
  stored: boolean;
  title: string;
  assistant: string;
  turns: Turn[];
  /** Where earlier and later turns go on from; null at the start and at the end. */
  older: string | null;
  newer: string | null;
}

/** A refusal or failure to be read above the composer. */
export interface Notice {
  text: string;
  code: string;
  /** Time in milliseconds of the epoch from which trying again makes sense. */
  until?: number;
  refused?: RefusedAction;
  /** Key of the question whose edit was refused: the notice goes with the edit. */
  edit?: string;
}

/** What a plan's limit refused: a message, or (`reply`) another reply to one that was sent before. */
export type RefusedAction = 'message' | 'reply';

/** Why the upgrade dialog is open: credits used up, few left, conversations of the day used up, or asked for. */
export type UpgradeCause = 'credits' | 'low' | 'daily' | 'asked';

export type Dialog =
  | { kind: 'upgrade'; cause: UpgradeCause; refused?: RefusedAction }
  | { kind: 'search' }
  | { kind: 'shortcuts' };

export interface ChatState {
  me: Me | null;
  /** User id of the person whose texts the page holds, also after their session has ended; null: a guest's. */
  owner: string | null;
  chats: ChatRow[];
  next: string | null;
  open: OpenChat;
  missing: boolean;
  /** The wanted chat was deleted and can be brought back. */
  deleted: { id: string; title: string } | null;
  assistants: Assistant[];
  toolPages: string[];
  notice: Notice | null;
  /** The open chat was deleted on another tab or device. */
  gone: boolean;
  /** Key of the question whose text is in the composer to be sent as another version. */
  editing: string | null;
  dialog: Dialog | null;
  /** Id of the message that is to be shown; a new object each time that it is asked for. */
  at: { id: string } | null;
  /** ISO 8601: the time of the server at which the page was made. */
  now: string;
}

export type EndData = Extract<GenerationEvent, { event: 'end' }>['data'];

export type ChatAction =
  | { type: 'loaded'; data: ChatPageData; newId: string }
  | { type: 'fresh'; id: string; assistant: string }
  | {
      type: 'sending';
      text: string;
      attachment: Attachment | null;
      keys: { question: string; reply: string };
      /** Key of the question that this is another version of. */
      replaces: string | null;
      live: LiveText;
      now: string;
    }
  | { type: 'replacing'; key: string; reply: string; goesOn: boolean; live: LiveText; now: string }
  | { type: 'following'; key: string; live: LiveText }
  | { type: 'started'; reply: string; question: string | null; data: StartedReply; now: string }
  | { type: 'refused'; reply: string; question: string | null; notice: Notice | null }
  | { type: 'stopping'; reply: string }
  | { type: 'ended'; chatId: string; reply: string; text: string; data: EndData; now: string }
  | { type: 'signed-out'; reply: string; text: string; notice: Notice }
  | { type: 'older'; before: string; view: ChatView }
  | { type: 'newer'; after: string; view: ChatView }
  | { type: 'view'; view: ChatView }
  | { type: 'page'; before: string | null; chats: ChatRow[]; next: string | null }
  | { type: 'newest'; chats: ChatRow[]; next: string | null }
  | { type: 'titled'; chatId: string; title: string }
  | { type: 'removed'; chatId: string }
  | { type: 'restored'; row: ChatRow }
  | { type: 'me'; me: Me }
  | { type: 'lost' }
  | { type: 'edit'; key: string | null }
  | { type: 'dialog'; dialog: Dialog | null }
  | { type: 'notice'; notice: Notice | null };

export const isLive = (turn: Turn) => !turn.cutOff && (turn.state === 'queued' || turn.state === 'running');

/** The reply that is being written in the open chat. */
export const liveTurn = (state: ChatState): Turn | undefined => state.open.turns.findLast(isLive);

/** The question that is being edited. */
export const editedTurn = ({ open, editing }: ChatState): Turn | undefined =>
  editing === null ? undefined : open.turns.find((turn) => turn.key === editing);

export const emptyChat = (id: string, assistant: string): OpenChat => ({
  id,
  stored: false,
  title: defaultTitle,
  assistant,
  turns: [],
  older: null,
  newer: null,
});

export const toTurn = (message: ChatMessage): Turn => ({ ...message, key: message.id });

/** A chat as the server gives it. */
export const openView = ({ id, title, assistant, messages, older, newer }: ChatView): OpenChat => ({
  id,
  stored: true,
  title,
  assistant,
  turns: messages.map(toTurn),
  older,
  newer,
});

/** The page's state for what the loader gave. `newId` is the id of a chat that may be begun. */
export function firstState(data: ChatPageData, newId: string): ChatState {
  const { me, chats, next, chat, missing, deleted, assistants, toolPages, at, now } = data;
  const open = chat ? openView(chat) : emptyChat(newId, data.assistant);
  return {
    me,
    owner: me?.id ?? null,
    chats,
    next,
    open,
    missing,
    deleted,
    gone: false,
    assistants,
    toolPages,
    notice: null,
    editing: null,
    dialog: null,
    at: at === null ? null : { id: at },
    now,
  };
}

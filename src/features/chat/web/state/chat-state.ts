import type { Me } from '#features/accounts/contract.ts';
import { type GenerationEvent, isRunning } from '#features/generations/contract.ts';
import type { LiveText } from '#features/generations/web/live-text.ts';
import type { ImageSize } from '#features/images/contract.ts';
import type { Prompt } from '#features/prompts/contract.ts';
import { m } from '#messages';
import {
  type Assistant,
  type Attachment,
  type ChatMessage,
  type ChatPage,
  type ChatRow,
  type ChatView,
  defaultTitle,
  generalAssistant,
  type StartedReply,
  shownTitle,
} from '../../contract.ts';
import type { OwnAssistantRow } from '../../own-assistants/own-assistants-contract.ts';
import type { ProjectRow } from '../../projects/projects-contract.ts';

export interface ChatPageData {
  me: Me | null;
  chats: ChatRow[];
  next: string | null;
  chat: ChatView | null;
  missing: boolean;
  deleted: { id: string; title: string } | null;
  assistants: Assistant[];
  assistant: string;
  /** Only for a new chat. */
  own: OwnAssistantRow | null;
  temporary: boolean;
  projects: ProjectRow[];
  /** Only for a new chat. */
  project: OpenChat['project'];
  toolPages: string[];
  /** Credits that a web search adds to a message; null if it is not offered. */
  webPrice: number | null;
  /** Whether messages can be dictated. */
  dictates: boolean;
  at: string | null;
  now: string;
}

export interface Message extends ChatMessage {
  key: string;
  live?: LiveText;
  unsent?: boolean;
  /** Started on this page; stays set after sending, which can happen before the first render. */
  sentHere?: boolean;
  /** The messages to restore if this one is refused. */
  replaced?: Message[];
  stopping?: boolean;
  /** A web search was requested on this page. */
  searching?: boolean | undefined;
  /** The version that this one replaces had later messages, which stay on its branch. */
  followed?: boolean;
  /** Progress lines of its image run, if that ended on this page. */
  steps?: string;
  /** The session ended while it arrived; the server continues it. */
  cutOff?: boolean;
  /** The two replies from which the person continued with this one. */
  pair?: [Message, Message];
}

export interface OpenChat {
  id: string;
  stored: boolean;
  title: string;
  archivedAt: string | null;
  assistant: string;
  own: ChatView['own'];
  assistantGone?: boolean;
  temporary: boolean;
  project: ChatView['project'];
  /** The chosen model; null: the operator's first. */
  model: string | null;
  /** The second model that replies to the next message. */
  compare: string | null;
  /** The next message searches the web. */
  web: boolean;
  /** The next message requests an image of this size. */
  draw?: ImageSize | null | undefined;
  messages: Message[];
  older: string | null;
  newer: string | null;
}

export interface Notice {
  text: string;
  code: string;
  /** Epoch milliseconds from which a retry makes sense. */
  until?: number;
  refused?: RefusedAction;
  /** Idempotency-Key of the returned message. */
  key?: string;
  /** Key of the question whose edit was refused; the notice disappears with the edit. */
  edit?: string;
}

export type RefusedAction = 'message' | 'reply';

export type UpgradeCause = 'credits' | 'low' | 'daily' | 'asked';

export type Dialog =
  | { kind: 'upgrade'; cause: UpgradeCause; refused?: RefusedAction }
  | { kind: 'remember'; text: string; onSaved?: () => void }
  | { kind: 'fill-in'; prompt: Prompt; onText: (text: string) => void }
  | { kind: 'new-prompt'; title: string }
  /** A null id creates a new one. */
  | { kind: 'project'; id: string | null }
  | { kind: 'assistants' }
  /** A null id creates a new one. */
  | { kind: 'assistant'; id: string | null }
  | { kind: 'move'; ids: string[]; onMoved?: () => void }
  | { kind: 'search' }
  | { kind: 'archive' }
  | { kind: 'shortcuts' };

export interface ChatState
  extends Omit<ChatPageData, 'chat' | 'assistant' | 'own' | 'temporary' | 'project' | 'at'> {
  /** User id, kept after the session has ended; null for a guest. */
  owner: string | null;
  open: OpenChat;
  notice: Notice | null;
  /** The open chat was deleted on another tab or device. */
  deletedElsewhere: boolean;
  editing: string | null;
  dialog: Dialog | null;
  /** A new object for each request. */
  at: { id: string } | null;
}

export type EndData = Extract<GenerationEvent, { event: 'end' }>['data'];

export type ChatAction =
  | { type: 'loaded'; data: ChatPageData; newId: string }
  | { type: 'fresh'; id: string; assistant: string; temporary: boolean }
  | {
      type: 'sending';
      text: string;
      attachments: Attachment[];
      keys: { question: string; reply: string };
      replaces: string | null;
      web?: boolean | undefined;
      draw?: ImageSize | undefined;
      /** The second reply and its `model`; `first` is the model of the first reply. */
      other?: { key: string; model: string; first: string } | undefined;
      live: LiveText;
      now: string;
    }
  | {
      type: 'replacing';
      key: string;
      reply: string;
      continues: boolean;
      /** The reply shows images, like the previous one. */
      draws?: boolean;
      web?: boolean | undefined;
      live: LiveText;
      now: string;
    }
  | { type: 'following'; key: string; live: LiveText }
  | { type: 'started'; reply: string; question: string | null; data: StartedReply; now: string }
  | { type: 'refused'; reply: string; question: string | null; notice: Notice | null }
  | { type: 'stopping'; reply: string }
  | {
      type: 'ended';
      chatId: string;
      reply: string;
      text: string;
      data: EndData;
      /** Another reply of the chat is still running. */
      more?: boolean;
      now: string;
    }
  | { type: 'signed-out'; reply: string; text: string; notice: Notice }
  | { type: 'older'; before: string; view: ChatView }
  | { type: 'newer'; after: string; view: ChatView }
  | { type: 'view'; view: ChatView }
  | { type: 'page'; before: string | null; chats: ChatRow[]; next: string | null }
  | ({ type: 'newest' } & ChatPage)
  | { type: 'titled'; chatId: string; title: string }
  | { type: 'removed'; chatId: string }
  | { type: 'arranged'; row: ChatRow }
  | { type: 'chosen'; model: string | null }
  | { type: 'compare'; model: string | null }
  | { type: 'web'; on: boolean }
  | { type: 'draw'; size: ImageSize | null }
  | { type: 'me'; me: Me }
  | { type: 'lost' }
  | { type: 'edit'; key: string | null }
  | { type: 'dialog'; dialog: Dialog | null }
  | { type: 'notice'; notice: Notice | null };

export const isLive = (turn: Message) => !turn.cutOff && isRunning(turn.state);

/** If two are running, returns one that is not stopping. */
export const liveMessage = ({ open }: ChatState): Message | undefined =>
  open.messages.findLast((turn) => isLive(turn) && !turn.stopping) ?? open.messages.findLast(isLive);

/** Returns the two replies at the end if the person has chosen neither, that of the chat's own model first. */
export function openPair(messages: readonly Message[]): [Message, Message] | undefined {
  const [first, second] = messages.slice(-2);
  return first && second?.beside?.id === first.id ? [first, second] : undefined;
}

/** Returns the reply from which the chat continues: the first, unless it ended without text and the other has some. */
export const replyToContinue = ([own, other]: [Message, Message]): Message =>
  own.content === '' && !isLive(own) && other.content !== '' ? other : own;

export const editedMessage = ({ open, editing }: ChatState): Message | undefined =>
  editing === null ? undefined : open.messages.find((turn) => turn.key === editing);

export const emptyChat = (
  id: string,
  assistant: string,
  temporary: boolean,
  model: string | null,
  project: OpenChat['project'] = null,
  own: OpenChat['own'] = null,
): OpenChat => ({
  id,
  own,
  stored: false,
  title: temporary ? m.chat_temporary() : shownTitle(defaultTitle),
  archivedAt: null,
  assistant,
  temporary,
  project,
  model,
  compare: null,
  web: false,
  messages: [],
  older: null,
  newer: null,
});

const toMessage = (message: ChatMessage): Message => ({ ...message, key: message.id });

export const toOpenChat = ({ updatedAt: _, messages, compared, ...view }: ChatView): OpenChat => ({
  ...view,
  stored: true,
  messages: [...messages, ...(compared ? [compared] : [])].map(toMessage),
});

export function firstState(data: ChatPageData, newId: string): ChatState {
  const { chat, assistant, own, temporary, project, at, ...page } = data;
  return {
    ...page,
    owner: page.me?.id ?? null,
    open: chat
      ? toOpenChat(chat)
      : emptyChat(newId, assistant, temporary, own?.model ?? page.me?.chatModel ?? null, project, own),
    deletedElsewhere: false,
    notice: null,
    editing: null,
    dialog: null,
    at: at === null ? null : { id: at },
  };
}

export const openAssistant = ({ assistants, open }: Pick<ChatState, 'assistants' | 'open'>) =>
  assistants.find(({ id }) => id === open.assistant);

export function newChatPath(
  assistant: string,
  temporary = false,
  project: OpenChat['project'] = null,
): string {
  const query = new URLSearchParams({
    ...(assistant === generalAssistant ? {} : { assistant }),
    ...(temporary ? { temporary: '1' } : {}),
    ...(project ? { project: project.id } : {}),
  });
  return query.size === 0 ? '/chat/new' : `/chat/new?${query}`;
}

export function assistantTarget(
  { id, name, description, tool }: Assistant,
  toolPages: readonly string[],
  open?: Pick<OpenChat, 'temporary' | 'project'>,
): { to: string; name: string; description: string; isPage: boolean } {
  return tool && toolPages.includes(tool.path)
    ? { to: tool.path, name: tool.name, description: tool.description, isPage: true }
    : { to: newChatPath(id, open?.temporary, open?.project), name, description, isPage: false };
}

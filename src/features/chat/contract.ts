import { z } from 'zod/mini';
import type { FinishReason, GenerationState, StartedRun } from '#features/generations/contract.ts';
import type { DrawnImages, ImageSize } from '#features/images/contract.ts';
import { m } from '#messages';
import type { TextSegment } from '#shared/search-words.ts';
import type { FileLeftOut } from './knowledge/file-left-out.ts';
import type { NamedAssistant } from './own-assistants/own-assistants-contract.ts';
import type { ProjectRow } from './projects/projects-contract.ts';

export { originChatId, prefillComposer } from './prefill.ts';

/** Stored as the title of a chat without words. */
export const defaultTitle = 'New Conversation';
export const shownTitle = (title: string) => (title === defaultTitle ? m.chat_untitled() : title);
/** An exact sentence of the specification, in the reader's language. */
export const failureText = () => m.run_failed();

export const chatLimits = {
  /** UTF-16 units of one message. */
  messageLength: 32_000,
  titleLength: 120,
  temperature: 0.7,
  maxTokens: 2000,
  chatsPerPage: 30,
  pinned: 20,
  /** Chats per request to move, delete or export several. */
  selected: 100,
  /** Bytes of the messages that a fork copies. */
  forkBytes: 8 * 1024 * 1024,
  messagesPerPage: 100,
  /** UTF-16 units. */
  searchLength: 200,
  searchHits: 30,
  /** Days during which a deleted chat can be restored. */
  restoreDays: 7,
} as const;

export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const epubType = 'application/epub+zip';

export const attachmentLimits = {
  perMessage: 10,
  /** Pasted text of this many UTF-16 units or more becomes a file. */
  pastedText: 8_000,
  size: 10_485_760,
  tokens: 8_000,
  side: 2048,
  pages: 300,
} as const;

/** Hours after its last message until a temporary chat that nobody has left is erased. */
export const temporaryHours = 24;

// The schemas are marked as pure, so that a page that only needs the limits does not load the validator.

const modelId = /* @__PURE__ */ (() => z.string().check(z.maxLength(200)))();

/**
 * `model` is one of the operator's list, null its first one; absent where a page offers no choice. `price` is the
 * price of a message as the page shows it.
 */
const modelChoice = /* @__PURE__ */ (() => ({
  model: z.optional(z.nullable(modelId)),
  price: z.optional(z.int()),
  /** Searches the web first, where the operator offers it. */
  web: z.optional(z.boolean()),
  /** Replies with an image of this size. */
  draw: z.optional(z.enum(['512x512', '768x512', '1024x1024'] satisfies ImageSize[])),
}))();
export interface ModelChoice {
  model?: string | null | undefined;
  price?: number | undefined;
  web?: boolean | undefined;
  draw?: ImageSize | undefined;
}

export interface ComparedModel {
  model: string;
  price?: number | undefined;
}

/** Body of regenerating and continuing a reply. */
export const anotherReply = /* @__PURE__ */ (() => z.object(modelChoice))();

/**
 * Body of `PUT /api/chats/model`. `model` is for this chat and the person's next new one; `compare`, the second model,
 * is for this chat only.
 */
export const chooseModel = /* @__PURE__ */ (() =>
  z.union([
    z.object({ model: z.nullable(modelId), chatId: z.optional(z.uuid()) }),
    z.object({ compare: z.nullable(modelId), chatId: z.uuid() }),
  ]))();

/**
 * Body of `POST /api/chats/:id/messages`. `create` creates the chat, with an id from the client, and allows
 * `temporary` (in no list, erased when it is left) or else `projectId`. `parentId` is the reply that is answered, null
 * for the end of the shown branch; `replaces` is the message of which this is another version. `by` is the user who
 * wrote it, so that a page left open does not post for somebody who signed in later. `compare` requests a reply from a
 * second model too, with its own `price`: both models reply, or neither.
 */
export const sendMessage = /* @__PURE__ */ (() =>
  z.object({
    text: z.string().check(z.maxLength(chatLimits.messageLength)),
    parentId: z.optional(z.nullable(z.uuid())),
    replaces: z.optional(z.uuid()),
    create: z.optional(z.boolean()),
    temporary: z.optional(z.boolean()),
    projectId: z.optional(z.uuid()),
    assistant: z.optional(z.string().check(z.maxLength(40))),
    attachmentIds: z.optional(
      z.array(z.uuid()).check(
        z.maxLength(attachmentLimits.perMessage),
        z.refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length),
      ),
    ),
    /** Sent by pages from before messages could have several files. */
    attachmentId: z.optional(z.uuid()),
    by: z.optional(z.uuid()),
    ...modelChoice,
    compare: z.optional(z.object({ model: modelId, price: z.optional(z.int()) })),
  }))();
export type SendMessage = z.infer<typeof sendMessage>;

export const changeChat = /* @__PURE__ */ (() =>
  z
    .object({
      title: z.optional(z.string().check(z.maxLength(1000))),
      pinned: z.optional(z.boolean()),
      archived: z.optional(z.boolean()),
    })
    .check(
      z.refine(
        ({ title, pinned, archived }) =>
          [title, pinned, archived].some((value) => value !== undefined) && !(pinned && archived),
      ),
    ))();
export type ChangeChat = z.infer<typeof changeChat>;

export const ratingReasons = ['wrong', 'off_topic', 'length', 'style', 'refused', 'other'] as const;
export type RatingReason = (typeof ratingReasons)[number];

export interface ReplyRating {
  good: boolean;
  /** Why the reply is not good, if the person gave a reason. */
  reason: RatingReason | null;
}

/** Body of `PUT /api/chats/rating`: null removes the rating. */
export const rateReply = /* @__PURE__ */ (() =>
  z.object({
    messageId: z.uuid(),
    rating: z.nullable(
      z
        .object({ good: z.boolean(), reason: z.nullable(z.enum(ratingReasons)) })
        .check(z.refine(({ good, reason }) => !good || reason === null)),
    ),
  }))();

const selectionActions = ['archive', 'unarchive', 'delete', 'restore', 'move'] as const;
export type SelectionAction = (typeof selectionActions)[number];

/**
 * Body of `POST /api/chats/selection`: applies to all of these chats, or to none. Responds with `{ chats }`, those
 * that still exist. `projectId` is where they are moved to; null takes them out of their project.
 */
export const actOnSelection = /* @__PURE__ */ (() =>
  z
    .object({
      ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(chatLimits.selected)),
      act: z.enum(selectionActions),
      projectId: z.optional(z.nullable(z.uuid())),
    })
    .check(z.refine(({ act, projectId }) => (act === 'move') === (projectId !== undefined))))();

/** Body of `POST /api/chats/fork`: the last reply to copy, and the id of the new chat. */
export const forkChat = /* @__PURE__ */ (() => z.object({ messageId: z.uuid(), id: z.uuid() }))();
export type ForkChat = z.infer<typeof forkChat>;

export const createChat = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), title: z.optional(z.string()) }))();

/** Body of `PUT /api/chats/:id/branch`: shows the newest branch through this message. Responds with a ChatView. */
export const chooseBranch = /* @__PURE__ */ (() => z.object({ messageId: z.uuid() }))();

/**
 * Row of `GET /api/chats?before=`: the first page starts with the pinned chats, newest pin first; the others follow by
 * `updatedAt`, newest first. `?archived=true` lists the archive, newest `archivedAt` first; `?project=` the chats of a
 * project.
 */
export interface ChatRow {
  id: string;
  title: string;
  /** The title is the first words of the question until the model or the owner gives it another. */
  provisional: boolean;
  updatedAt: string;
  running: boolean;
  pinnedAt: string | null;
  archivedAt: string | null;
  projectId: string | null;
  assistant: string;
}

/** `projects` is only filled on the first page. */
export interface ChatPage {
  chats: ChatRow[];
  next: string | null;
  projects: ProjectRow[];
}

export interface WebSource {
  /** http or https, without a user name. */
  url: string;
  title: string;
  /** YYYY-MM-DD, as the search reports it. */
  date: string | null;
}

/**
 * Also the response of `GET /api/generations/:id/web`. `[1]` in the text refers to the first source. A search without
 * sources is not charged.
 */
export interface WebSearch {
  state: 'searching' | 'found' | 'nothing' | 'failed';
  /** Empty where the gateway itself searches. */
  queries: string[];
  sources: WebSource[];
}

export interface ChatMessage {
  id: string;
  parentId: string | null;
  role: 'user' | 'assistant';
  content: string;
  createdAt: string;
  state: GenerationState;
  generationId: string | null;
  /** Idempotency-Key of the request that started this reply, so that its sender recognizes it. */
  requestKey: string | null;
  finishReason: FinishReason | null;
  error: string | null;
  creditsCharged: number;
  model: string | null;
  /** The model that replied instead, where the gateway fell back to another. */
  answeredBy: string | null;
  /** Milliseconds of thinking before the answer, where the thinking is stored (`GET /api/generations/:id/thinking`). */
  thoughtMs: number | null;
  /** Null where no web search was requested. */
  web: WebSearch | null;
  /** UTF-16 units at the start of `content` that come from the reply that this one continues. */
  takenOver: number;
  /** Messages at the start of the chat that did not fit into the request. */
  leftOut: number;
  /** Files of the chat's assistant and project that did not fit. */
  filesLeftOut: FileLeftOut[];
  /** The name, at that time, of the own assistant that replied; null for one of the site's. */
  assistantName: string | null;
  versions: string[] | null;
  /** The reply of another model that was requested together with this one. */
  beside: OtherReply | null;
  rating: ReplyRating | null;
  /** Of a drawn reply; its `content` is empty. */
  images: DrawnImages | null;
  attachments: Attachment[];
}

export interface OtherReply {
  id: string;
  model: string;
}

/**
 * Response of `GET /api/chats/:id`: a window of the shown branch, oldest first. By default its end; `?at=` the
 * messages around one, `?before=` and `?after=` those above and below one. `older` and `newer` are the ids to load the
 * next ones from.
 */
export interface ChatView {
  id: string;
  title: string;
  updatedAt: string;
  archivedAt: string | null;
  /** Id of one of the site's assistants or of the person's own; if that was deleted, `own` is null. */
  assistant: string;
  own: NamedAssistant | null;
  assistantGone: boolean;
  temporary: boolean;
  /** The chosen model, which may no longer be offered. Null: the operator's first. */
  model: string | null;
  /** The second model that replies too; it may no longer be offered. */
  compare: string | null;
  /** The web was searched for the last of these replies, and still can be. */
  web: boolean;
  project: { id: string; name: string } | null;
  messages: ChatMessage[];
  /** The other of two replies requested together, until the person chooses one; it is not in `messages`. */
  compared: ChatMessage | null;
  older: string | null;
  newer: string | null;
}

/** Response (202) and `started` event of sending, regenerating and continuing. */
export interface StartedReply extends StartedRun {
  chat: { id: string; title: string; isNew: boolean; temporary: boolean };
  message: { id: string; content: string };
  reply: Pick<ChatMessage, 'id' | 'assistantName' | 'model'>;
  /** The second model's reply, if requested; its events are those of its own run. */
  compared?: { model: string; reply: StartedReply['reply']; generation: StartedRun['generation'] };
  /** The person's instructions were sent with it. */
  instructed: boolean;
  credits: number | null;
}

/** Row of `GET /api/search?q=`, best and newest first. */
export interface SearchHit {
  chatId: string;
  title: TextSegment[];
  messageId: string | null;
  role: 'user' | 'assistant' | null;
  excerpt: TextSegment[];
  at: string;
  archived: boolean;
}

export interface Assistant {
  id: string;
  name: string;
  description: string;
  starter: string;
  prompts: string[];
  tool: { path: string; name: string; description: string } | null;
}

export const generalAssistant = 'general';

/** `POST /api/files?name=` takes the bytes as the body; `GET` and `DELETE /api/files/:id`. */
export interface Attachment {
  id: string;
  kind: 'image' | 'pdf' | 'text' | 'docx' | 'xlsx' | 'epub';
  name: string;
  bytes: number;
  width: number | null;
  height: number | null;
  pages: number | null;
  pagesRead: number | null;
  /** UTF-8 bytes of a document's text that are sent if it is the only file. */
  textBytes: number | null;
  note: string | null;
}

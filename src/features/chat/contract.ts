import { z } from 'zod/mini';
import type { FinishReason, GenerationState, StartedRun } from '#features/generations/contract.ts';
import type { DrawnImages, ImageSize } from '#features/images/contract.ts';
import { m } from '#messages';
import type { TextSegment } from '#shared/search-words.ts';
import type { FileLeftOut } from './knowledge/file-left-out.ts';
import type { NamedAssistant } from './own-assistants/own-assistants-contract.ts';
import type { ProjectRow } from './projects/projects-contract.ts';

export { originChatId, prefillComposer } from './prefill.ts';

/** What is stored as the title of a chat without words. */
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
  /** Chats of one request that moves, deletes or exports many. */
  selected: 100,
  /** Of the messages that a fork copies. */
  forkBytes: 8 * 1024 * 1024,
  messagesPerPage: 100,
  /** UTF-16 units. */
  searchLength: 200,
  searchHits: 30,
  /** Days for which a deleted chat can be brought back. */
  restoreDays: 7,
} as const;

export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const epubType = 'application/epub+zip';

export const attachmentLimits = {
  perMessage: 10,
  /** UTF-16 units from which on a text that is pasted becomes a file. */
  pastedText: 8_000,
  size: 10_485_760,
  tokens: 8_000,
  side: 2048,
  pages: 300,
} as const;

/** Hours after its last message when a temporary chat that nobody has left is erased. */
export const temporaryHours = 24;

// The schemas are marked as pure, so that a page that needs only the limits does not load the validator.

const modelId = /* @__PURE__ */ (() => z.string().check(z.maxLength(200)))();

/**
 * Of the operator's list, where a page offers a choice: null is its first. `price` is what the page says that a
 * message costs.
 */
const modelChoice = /* @__PURE__ */ (() => ({
  model: z.optional(z.nullable(modelId)),
  price: z.optional(z.int()),
  /** The web is searched first, where the operator offers it. */
  web: z.optional(z.boolean()),
  /** Answered by an image of this size. */
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
 * Body of `PUT /api/chats/model`: `model` for this chat, and for the next one that begins; `compare`, the second one,
 * for this chat.
 */
export const chooseModel = /* @__PURE__ */ (() =>
  z.union([
    z.object({ model: z.nullable(modelId), chatId: z.optional(z.uuid()) }),
    z.object({ compare: z.nullable(modelId), chatId: z.uuid() }),
  ]))();

/**
 * Body of `POST /api/chats/:id/messages`. `create` makes the chat, whose id the client chose, with the message.
 * `parentId` is the reply answered to, null for the end of the shown branch; `replaces` a message that this one is
 * another version of. `temporary` goes with `create`: the chat is in no list and is erased when it is left; so does
 * `projectId`, where the chat is not temporary. `by` is the person who wrote it: a page that was left open must not speak for whoever signed in
 * since. `compare` asks a second model of the operator's list too, whose `price` is told like that of the first: both
 * reply, or none.
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
    /** Of pages from before there could be several. */
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
  /** What is wrong with a reply that is not good, where the person said it. */
  reason: RatingReason | null;
}

/** Body of `PUT /api/chats/rating`: null takes the rating back. */
export const rateReply = /* @__PURE__ */ (() =>
  z.object({
    messageId: z.uuid(),
    rating: z.nullable(
      z
        .object({ good: z.boolean(), reason: z.nullable(z.enum(ratingReasons)) })
        .check(z.refine(({ good, reason }) => !good || reason === null)),
    ),
  }))();

const selectionActs = ['archive', 'unarchive', 'delete', 'restore', 'move'] as const;
export type SelectionAct = (typeof selectionActs)[number];

/**
 * Body of `POST /api/chats/selection`: all of these chats, or none. Answers `{ chats }`, those that are there then.
 * `projectId` is where they are moved to; null takes them out of their project.
 */
export const actOnSelection = /* @__PURE__ */ (() =>
  z
    .object({
      ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(chatLimits.selected)),
      act: z.enum(selectionActs),
      projectId: z.optional(z.nullable(z.uuid())),
    })
    .check(z.refine(({ act, projectId }) => (act === 'move') === (projectId !== undefined))))();

/** Body of `POST /api/chats/fork`: the reply up to which is copied, and the id of the new chat. */
export const forkChat = /* @__PURE__ */ (() => z.object({ messageId: z.uuid(), id: z.uuid() }))();
export type ForkChat = z.infer<typeof forkChat>;

export const createChat = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), title: z.optional(z.string()) }))();

/** Body of `PUT /api/chats/:id/branch`: shows the newest branch through this message. Answers ChatView. */
export const chooseBranch = /* @__PURE__ */ (() => z.object({ messageId: z.uuid() }))();

/**
 * Row of `GET /api/chats?before=`: on the first page those that are pinned, the newest pin first; then the others, the
 * newest `updatedAt` first. `?archived=true` has those of the archive, the newest `archivedAt` first; `?project=` those
 * of a project.
 */
export interface ChatRow {
  id: string;
  title: string;
  /** The title is the first words of the question until the model's or the owner's comes. */
  provisional: boolean;
  updatedAt: string;
  running: boolean;
  pinnedAt: string | null;
  archivedAt: string | null;
  projectId: string | null;
  assistant: string;
}

/** `projects` are on the first page alone. */
export interface ChatPage {
  chats: ChatRow[];
  next: string | null;
  projects: ProjectRow[];
}

export interface WebSource {
  /** http or https, without a user's name. */
  url: string;
  title: string;
  /** YYYY-MM-DD, as the search says. */
  date: string | null;
}

/**
 * Of `GET /api/generations/:id/web` too. `[1]` in the text names the first source. Without sources the
 * search is not charged.
 */
export interface WebSearch {
  state: 'searching' | 'found' | 'nothing' | 'failed';
  /** What was searched for; empty where the gateway itself searches. */
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
  /** Idempotency-Key of the request that started this reply, so that its sender knows it again. */
  requestKey: string | null;
  finishReason: FinishReason | null;
  error: string | null;
  creditsCharged: number;
  model: string | null;
  /** In its place, where the gateway fell back to another. */
  answeredBy: string | null;
  /** How long the model thought before it answered, where its thinking is kept (`GET /api/generations/:id/thinking`). */
  thoughtMs: number | null;
  /** Null where the web was not asked. */
  web: WebSearch | null;
  /** UTF-16 units at the start of `content` that come from the reply that this one continues. */
  takenOver: number;
  /** Messages at the start of the chat that did not fit into the request. */
  leftOut: number;
  /** Files of the chat's project that did not. */
  filesLeftOut: FileLeftOut[];
  /** Of the own assistant that replied, as it was called then; null where it was none. */
  assistantName: string | null;
  versions: string[] | null;
  /** The reply of another model that was asked for together with this one. */
  beside: OtherReply | null;
  rating: ReplyRating | null;
  /** Of a reply that was drawn; it has no content. */
  images: DrawnImages | null;
  attachments: Attachment[];
}

export interface OtherReply {
  id: string;
  model: string;
}

/**
 * `GET /api/chats/:id`: a window of the shown branch, oldest first. Without a query its end; `?at=` the surroundings
 * of a message, `?before=` and `?after=` what stands above and below one. `older` and `newer` are the ids to go on
 * from.
 */
export interface ChatView {
  id: string;
  title: string;
  updatedAt: string;
  archivedAt: string | null;
  /** That of the person is `own`, unless it is deleted, which `assistantGone` says. */
  assistant: string;
  own: NamedAssistant | null;
  assistantGone: boolean;
  temporary: boolean;
  /** That was chosen; it may be offered no more. Null: the operator's first. */
  model: string | null;
  /** The second one, that answers too; it may be offered no more. */
  compare: string | null;
  /** It was searched for the last of these replies, and can be for the next. */
  web: boolean;
  project: { id: string; name: string } | null;
  messages: ChatMessage[];
  /** The other of two replies that were asked for together, while the person has chosen neither; not in `messages`. */
  compared: ChatMessage | null;
  older: string | null;
  newer: string | null;
}

/** Answer (202) and `started` event of sending, regenerating and continuing. */
export interface StartedReply extends StartedRun {
  chat: { id: string; title: string; isNew: boolean; temporary: boolean };
  message: { id: string; content: string };
  reply: Pick<ChatMessage, 'id' | 'assistantName' | 'model'>;
  /** The second model's, where one was asked; its events are those of its own run. */
  compared?: { model: string; reply: StartedReply['reply']; generation: StartedRun['generation'] };
  /** The person's instructions go with it. */
  instructed: boolean;
  credits: number | null;
}

/** Of `GET /api/search?q=`, best and newest first. */
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
  /** UTF-8 bytes of a document's text that would be sent if no other file were beside it. */
  textBytes: number | null;
  note: string | null;
}

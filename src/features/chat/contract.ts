import { z } from 'zod/mini';
import type { FinishReason, GenerationState, StartedRun } from '#features/generations/contract.ts';
import { m } from '#messages';

export { originChatId, prefillComposer } from './prefill.ts';

export const defaultTitle = 'New Conversation';
/** An exact sentence of the specification, in the reader's language. */
export const failureText = () => m.run_failed();

export const chatLimits = {
  /** UTF-16 units of one message. */
  messageLength: 32_000,
  titleLength: 120,
  temperature: 0.7,
  maxTokens: 2000,
  chatsPerPage: 30,
  messagesPerPage: 100,
  /** UTF-16 units of a search, and how many hits it answers. */
  searchLength: 200,
  searchHits: 30,
  /** Days for which a deleted chat can be brought back; then its words are erased. */
  restoreDays: 7,
} as const;

// The schemas are marked as pure, so that a page that needs only the limits does not load the validator.

/**
 * Body of `POST /api/chats/:id/messages`. `create` makes the chat (its id chosen by the client, a UUID) when it
 * does not exist, in the same transaction and under the daily limit, with an `assistant` of `GET /chat`. `parentId` is
 * the reply answered to; null or absent means the end of the branch that the chat shows. `replaces` is a message of
 * the person that this one is another version of; then `parentId` is not read. A blank text is allowed beside an
 * attachment and becomes `requestFor` it. `by` is the person who wrote it: a session of another one is refused like none,
 * so that a page that was left open says nothing in the name of whoever signed in since.
 */
export const sendMessage = /* @__PURE__ */ (() =>
  z.object({
    text: z.string().check(z.maxLength(chatLimits.messageLength)),
    parentId: z.optional(z.nullable(z.uuid())),
    replaces: z.optional(z.uuid()),
    create: z.optional(z.boolean()),
    assistant: z.optional(z.string().check(z.maxLength(40))),
    attachmentId: z.optional(z.uuid()),
    by: z.optional(z.uuid()),
  }))();
export type SendMessage = z.infer<typeof sendMessage>;

export const renameChat = /* @__PURE__ */ (() => z.object({ title: z.string().check(z.maxLength(1000)) }))();
export const createChat = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), title: z.optional(z.string()) }))();

/** Body of `PUT /api/chats/:id/branch`: shows the newest branch through this message from now on. Answers ChatView. */
export const chooseBranch = /* @__PURE__ */ (() => z.object({ messageId: z.uuid() }))();

/** Row of `GET /api/chats`: `{ chats: ChatRow[], next: string | null }`, newest `updatedAt` first, `?before=` pages. */
export interface ChatRow {
  id: string;
  title: string;
  /** The title is the first words of the question: one of the model's, or of the owner's, may still come. */
  provisional: boolean;
  updatedAt: string;
  running: boolean;
}

/** State of an assistant message follows its generation; a user message is always `done`. */
export interface ChatMessage {
  id: string;
  parentId: string | null;
  role: 'user' | 'assistant';
  content: string;
  createdAt: string;
  state: GenerationState;
  generationId: string | null;
  /** Idempotency-Key of the request that started this reply, so that its sender knows it again; null for messages of the person. */
  requestKey: string | null;
  finishReason: FinishReason | null;
  error: string | null;
  creditsCharged: number;
  /** Model that was asked; null for messages of the person. */
  model: string | null;
  /** UTF-16 units at the start of `content` that were taken over from the reply that this one goes on with. */
  takenOver: number;
  /** Messages at the start of the conversation that did not fit into the request of this reply. */
  leftOut: number;
  /** Ids of the versions of this message, oldest first, with its own; null where it is the only one. */
  versions: string[] | null;
  attachment: Attachment | null;
}

/**
 * `GET /api/chats/:id`: a window of the branch that the chat shows, oldest first. Without a query its end; `?at=` a
 * message's surroundings (a message of another branch: of the newest branch through it), `?before=` what stands above
 * a message, `?after=` what stands below it. `older` and `newer` are the ids to go on from, null at the start and end.
 */
export interface ChatView {
  id: string;
  title: string;
  updatedAt: string;
  assistant: string;
  messages: ChatMessage[];
  older: string | null;
  newer: string | null;
}

/** Answer (202) and `started` event of sending a message, regenerating and continuing. */
export interface StartedReply extends StartedRun {
  /** `isNew`: this request made the chat. */
  chat: { id: string; title: string; isNew: boolean };
  /** `content` as stored: the text, or what stands for an attachment alone. */
  message: { id: string; content: string };
  reply: { id: string };
  credits: number | null;
}

export interface TextSegment {
  text: string;
  hit: boolean;
}

/** `GET /api/search?q=`: `{ hits: SearchHit[] }`, the person's own chats only, best and newest first. */
export interface SearchHit {
  chatId: string;
  title: TextSegment[];
  /** The message found; null where only the title was. */
  messageId: string | null;
  role: 'user' | 'assistant' | null;
  excerpt: TextSegment[];
  /** Time of the message, or of the chat's last change. */
  at: string;
}

export interface Assistant {
  id: string;
  name: string;
  description: string;
  /** A beginning of a message, to be completed before it is sent. */
  starter: string;
  prompts: string[];
  /** Tool that it belongs to, and the address of its page; null for assistants without one. */
  tool: { path: string; name: string; description: string } | null;
}

export const generalAssistant = 'general';

export const attachmentLimits = {
  size: 10_485_760,
  types: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  tokens: 8_000,
  side: 2048,
  pages: 300,
} as const;

export const attachmentTexts = {
  get tooLarge() {
    return m.chat_file_too_large();
  },
  get wrongType() {
    return m.chat_file_wrong_type();
  },
} as const;

/**
 * A file that was put to a message. `POST /api/files?name=` takes the bytes as the body and answers 201 with it,
 * `GET /api/files/:id` gives a picture as it is stored or the document, `DELETE` removes one that was not sent.
 */
export interface Attachment {
  id: string;
  kind: 'image' | 'pdf';
  name: string;
  bytes: number;
  /** Pixels of the stored picture; null for documents. */
  width: number | null;
  height: number | null;
  /** Pages of the document and how many of them, from the first on, go to the model; null for pictures. */
  pages: number | null;
  pagesRead: number | null;
  /** What of it could not be read or did not fit, in words for the person; null when all of it is sent. */
  note: string | null;
}

/** The message that stands for an attachment when the person writes none. */
export const defaultMessageFor = ({ kind, name }: Pick<Attachment, 'kind' | 'name'>): string =>
  kind === 'image' ? m.chat_file_request_image({ name }) : m.chat_file_request_pdf({ name });

import { z } from 'zod/mini';
import type { FinishReason, GenerationState, StartedRun } from '../generations/contract.ts';

export const defaultTitle = 'New Conversation';
export const failureText = 'Sorry, I encountered an error. Please try again.';

export const chatLimits = {
  /** UTF-16 units of one message. */
  messageLength: 32_000,
  titleLength: 120,
  temperature: 0.7,
  maxTokens: 2000,
  chatsPerPage: 30,
  messagesPerPage: 100,
} as const;

// The schemas are marked as pure, so that a page that needs only the limits does not load the validator.

/**
 * Body of `POST /api/chats/:id/messages`. `create` makes the chat (its id chosen by the client, a UUID) when it
 * does not exist, in the same transaction and under the daily limit. `parentId` is the message answered to; null
 * or absent means the end of the newest branch.
 */
export const sendMessage = /* @__PURE__ */ (() =>
  z.object({
    text: z.string().check(z.maxLength(chatLimits.messageLength)),
    parentId: z.optional(z.nullable(z.uuid())),
    create: z.optional(z.boolean()),
  }))();
export type SendMessage = z.infer<typeof sendMessage>;

export const renameChat = /* @__PURE__ */ (() => z.object({ title: z.string().check(z.maxLength(1000)) }))();
export const createChat = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), title: z.optional(z.string()) }))();

/** Row of `GET /api/chats`: `{ chats: ChatRow[], next: string | null }`, newest `updatedAt` first, `?before=` pages. */
export interface ChatRow {
  id: string;
  title: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** A reply is running in it. */
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
  finishReason: FinishReason | null;
  /** Text for the reader when the state is failed or interrupted. */
  error: string | null;
  creditsCharged: number;
}

/** `GET /api/chats/:id`: the newest branch, oldest first. `older` is the id to page from, null at the start. */
export interface ChatView {
  id: string;
  title: string;
  updatedAt: string;
  messages: ChatMessage[];
  older: string | null;
}

/** Answer (202) and `started` event of sending a message or regenerating. */
export interface StartedReply extends StartedRun {
  /** `isNew`: this request made the chat. */
  chat: { id: string; title: string; isNew: boolean };
  message: { id: string };
  reply: { id: string };
  credits: number | null;
}

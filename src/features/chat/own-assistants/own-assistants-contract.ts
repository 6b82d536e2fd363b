import { z } from 'zod/mini';

export const assistantLimits = {
  /** Of one person. */
  assistants: 50,
  /** UTF-16 units. */
  name: 60,
  /** UTF-16 units. */
  about: 160,
  /** UTF-16 units, as of a project's instructions. */
  instruction: 1_500,
} as const;

export interface NamedAssistant {
  id: string;
  name: string;
  about: string;
}

/** Of `GET /api/assistants`, by name. */
export interface OwnAssistantRow extends NamedAssistant {
  /** Of the operator's list; null leaves the chat's as it is. */
  model: string | null;
}

/** `GET /api/assistants/:id`, with its files. */
export interface OwnAssistant extends OwnAssistantRow {
  instruction: string;
}

const fields = /* @__PURE__ */ (() => ({
  about: z.optional(z.string()),
  instruction: z.optional(z.string()),
  model: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
}))();

/** Body of `POST /api/assistants`. The same id again is the assistant that was made with it. */
export const createAssistant = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), name: z.string(), ...fields }))();

/** Body of `PATCH /api/assistants/:id`. */
export const changeAssistant = /* @__PURE__ */ (() =>
  z
    .object({ name: z.optional(z.string()), ...fields })
    .check(z.refine((change) => Object.values(change).some((value) => value !== undefined))))();

/** Body of `PUT /api/chats/assistant`: the id of an own one, or of one that all have. */
export const chooseAssistant = /* @__PURE__ */ (() =>
  z.object({ chatId: z.uuid(), assistant: z.string().check(z.maxLength(40)) }))();

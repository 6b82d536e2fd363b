import { z } from 'zod/mini';

export const assistantLimits = {
  /** Per person. */
  assistants: 50,
  /** UTF-16 units. */
  name: 60,
  /** UTF-16 units. */
  about: 160,
  /** UTF-16 units, the same as for a project's instructions. */
  instruction: 1_500,
} as const;

export interface NamedAssistant {
  id: string;
  name: string;
  about: string;
}

/** Row of `GET /api/assistants`, sorted by name. */
export interface OwnAssistantRow extends NamedAssistant {
  /** One of the operator's list; null leaves the chat's model unchanged. */
  model: string | null;
}

/** Response of `GET /api/assistants/:id`, which also has its files. */
export interface OwnAssistant extends OwnAssistantRow {
  instruction: string;
}

const fields = /* @__PURE__ */ (() => ({
  about: z.optional(z.string()),
  instruction: z.optional(z.string()),
  model: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
}))();

/** Body of `POST /api/assistants`. An id that the person already used returns that assistant. */
export const createAssistant = /* @__PURE__ */ (() =>
  z.object({ id: z.optional(z.uuid()), name: z.string(), ...fields }))();

/** Body of `PATCH /api/assistants/:id`. */
export const changeAssistant = /* @__PURE__ */ (() =>
  z
    .object({ name: z.optional(z.string()), ...fields })
    .check(z.refine((change) => Object.values(change).some((value) => value !== undefined))))();

/** Body of `PUT /api/chats/assistant`: the id of an own assistant, or of one of the site's. */
export const chooseAssistant = /* @__PURE__ */ (() =>
  z.object({ chatId: z.uuid(), assistant: z.string().check(z.maxLength(40)) }))();

import { z } from 'zod/mini';

export const shareLimits = {
  perPerson: 100,
  /** UTF-8 bytes of the messages of one page. */
  bytes: 524_288,
  /** Per page. */
  pictures: 50,
  /** Pages that may be created or updated per hour. */
  hourly: 60,
} as const;

/** Days until a page ends; null: never. */
export const shareDays = [1, 7, 30] as const;
export type ShareDays = (typeof shareDays)[number] | null;

const days = /* @__PURE__ */ (() => z.nullable(z.literal(shareDays)))();

/** Kinds of pages: a reply comes with its question, a script is typeset, images are one or more. */
export const shareKinds = ['chat', 'reply', 'text', 'script', 'images'] as const;
export type ShareKind = (typeof shareKinds)[number];

const sourceIds = /* @__PURE__ */ (() => ({
  chatId: z.optional(z.uuid()),
  messageId: z.optional(z.uuid()),
  /** Id of a text or a script. */
  workId: z.optional(z.uuid()),
  pictureIds: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(shareLimits.pictures))),
}))();

const hasOneId = ({ chatId, messageId, workId, pictureIds }: SourceIds) =>
  [chatId, messageId, workId, pictureIds].filter((id) => id !== undefined).length === 1;

/** Query of `GET /api/shares/source`. */
export const shareSource = /* @__PURE__ */ (() => z.object(sourceIds).check(z.refine(hasOneId)))();

const options = /* @__PURE__ */ (() => ({
  showName: z.optional(z.boolean()),
  /** Only for images. */
  showPrompts: z.optional(z.boolean()),
  indexed: z.optional(z.boolean()),
  days: z.optional(days),
}))();

/** Body of `POST /api/shares`: exactly one of the ids says what is shared. */
export const createShare = /* @__PURE__ */ (() =>
  z.object({ ...sourceIds, ...options }).check(z.refine(hasOneId)))();
export type CreateShare = z.infer<typeof createShare>;

/** Body of `PATCH /api/shares/:id`. `days` start now. */
export const changeShare = /* @__PURE__ */ (() =>
  z
    .object(options)
    .check(z.refine((change) => Object.values(change).some((value) => value !== undefined))))();
export type ChangeShare = z.infer<typeof changeShare>;

export interface Share {
  id: string;
  url: string;
  kind: ShareKind;
  chatId: string | null;
  messageId: string | null;
  workId: string | null;
  pictureIds: string[] | null;
  title: string;
  /** Number of messages or images. */
  count: number;
  showName: boolean;
  showPrompts: boolean;
  indexed: boolean;
  createdAt: string;
  /** When its content was last read from the source. */
  updatedAt: string;
  endsAt: string | null;
  ended: boolean;
  takenDown: boolean;
}

export interface SourceIds {
  chatId?: string | undefined;
  messageId?: string | undefined;
  workId?: string | undefined;
  pictureIds?: string[] | undefined;
}

/** What would be shared now, and the existing page. */
export interface ShareSource {
  share: Share | null;
  kind: ShareKind;
  title: string;
  count: number;
  /** Files of these messages, which are not shared. */
  files: number;
  /** Images in replies, which are not shared either. */
  drawn: number;
}

/** A web page that a reply cites by number. */
export interface SharedSource {
  url: string;
  title: string;
  date: string | null;
}

export interface SharedMessage {
  role: 'user' | 'assistant';
  text: string;
  /** Number of attached files, which are not shown. */
  files: number;
  /** Absent in pages that are older than this field. */
  sources?: SharedSource[];
  /** Number of images drawn as this reply, which are not shown. */
  images?: number;
  /** The reply was stopped, failed, or reached its maximum length. */
  partial?: boolean;
}

export interface RenderedMessage {
  role: 'user' | 'assistant';
  /** HTML of a reply, plain text of a question. */
  content: string;
  /** Number of attached files, which are not shown. */
  files: number;
  /** Number of images drawn as this reply, which are not shown. */
  images: number;
  partial: boolean;
}

export interface ShareSnapshot {
  title: string;
  messages: SharedMessage[];
}

export const sharePath = (id: string) => `/share/${id}`;

/** `at`: position of the image on the page, from 1. */
export const sharedImagePath = (id: string, at: number) => `${sharePath(id)}/images/${at}`;

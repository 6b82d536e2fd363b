import { z } from 'zod/mini';

export const shareLimits = {
  perPerson: 100,
  /** UTF-8 of the messages of one page. */
  bytes: 524_288,
  /** Of one page. */
  pictures: 50,
  /** Made or updated in an hour. */
  hourly: 60,
} as const;

/** Days after which a page ends; null: never. */
export const shareDays = [1, 7, 30] as const;
export type ShareDays = (typeof shareDays)[number] | null;

const days = /* @__PURE__ */ (() => z.nullable(z.literal(shareDays)))();

/** What a page shows: a reply stands with its question, a script is typeset, images are one or more. */
export const shareKinds = ['chat', 'reply', 'text', 'script', 'images'] as const;
export type ShareKind = (typeof shareKinds)[number];

const sourceIds = /* @__PURE__ */ (() => ({
  chatId: z.optional(z.uuid()),
  messageId: z.optional(z.uuid()),
  /** Of a text or a script. */
  workId: z.optional(z.uuid()),
  pictureIds: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(shareLimits.pictures))),
}))();

const isOne = ({ chatId, messageId, workId, pictureIds }: SourceIds) =>
  [chatId, messageId, workId, pictureIds].filter((id) => id !== undefined).length === 1;

/** Query of `GET /api/shares/source`. */
export const shareSource = /* @__PURE__ */ (() => z.object(sourceIds).check(z.refine(isOne)))();

const options = /* @__PURE__ */ (() => ({
  showName: z.optional(z.boolean()),
  /** Of images. */
  showPrompts: z.optional(z.boolean()),
  indexed: z.optional(z.boolean()),
  days: z.optional(days),
}))();

/** Body of `POST /api/shares`: one of the ids names what is shared. */
export const makeShare = /* @__PURE__ */ (() =>
  z.object({ ...sourceIds, ...options }).check(z.refine(isOne)))();
export type MakeShare = z.infer<typeof makeShare>;

/** Body of `PATCH /api/shares/:id`. `days` count from now. */
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
  /** Messages, or images. */
  count: number;
  showName: boolean;
  showPrompts: boolean;
  indexed: boolean;
  createdAt: string;
  /** When what it shows was read. */
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

/** What would be shared now, and the page that is there. */
export interface ShareSource {
  share: Share | null;
  kind: ShareKind;
  title: string;
  count: number;
  /** Files of these messages, which are left out. */
  files: number;
  /** As are the images that replies show. */
  drawn: number;
}

/** A page of the web that a reply names by its number. */
export interface SharedSource {
  url: string;
  title: string;
  date: string | null;
}

export interface SharedMessage {
  role: 'user' | 'assistant';
  text: string;
  /** That stood with it and are not shown. */
  files: number;
  /** Absent in pages from before there were any. */
  sources?: SharedSource[];
  /** That were drawn as this reply, and are not shown. */
  images?: number;
  /** A reply that was stopped, failed, or reached its longest. */
  partial?: boolean;
}

export interface RenderedMessage {
  role: 'user' | 'assistant';
  /** Of a reply its HTML, of a question its text. */
  content: string;
  /** That stood with it and are not shown. */
  files: number;
  /** That were drawn as this reply, and are not shown. */
  images: number;
  partial: boolean;
}

export interface ShareSnapshot {
  title: string;
  messages: SharedMessage[];
}

export const sharePath = (id: string) => `/share/${id}`;

/** Of an image of a page, by its place in it from 1. */
export const sharedImagePath = (id: string, at: number) => `${sharePath(id)}/images/${at}`;

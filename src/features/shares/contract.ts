import { z } from 'zod/mini';

export const shareLimits = {
  perPerson: 100,
  /** UTF-8 of the messages of one page. */
  bytes: 524_288,
  /** Made or updated in an hour. */
  hourly: 60,
} as const;

/** Days after which a page ends; null: never. */
export const shareDays = [1, 7, 30] as const;
export type ShareDays = (typeof shareDays)[number] | null;

const days = /* @__PURE__ */ (() => z.nullable(z.literal(shareDays)))();

/** Body of `POST /api/shares`: a chat as it is shown, or a reply alone with its question. */
export const makeShare = /* @__PURE__ */ (() =>
  z
    .object({
      chatId: z.optional(z.uuid()),
      messageId: z.optional(z.uuid()),
      showName: z.optional(z.boolean()),
      indexed: z.optional(z.boolean()),
      days: z.optional(days),
    })
    .check(z.refine(({ chatId, messageId }) => (chatId === undefined) !== (messageId === undefined))))();
export type MakeShare = z.infer<typeof makeShare>;

/** Body of `PATCH /api/shares/:id`. `days` count from now. */
export const changeShare = /* @__PURE__ */ (() =>
  z
    .object({
      showName: z.optional(z.boolean()),
      indexed: z.optional(z.boolean()),
      days: z.optional(days),
    })
    .check(z.refine((change) => Object.values(change).some((value) => value !== undefined))))();
export type ChangeShare = z.infer<typeof changeShare>;

export interface Share {
  id: string;
  url: string;
  chatId: string;
  messageId: string | null;
  title: string;
  messages: number;
  showName: boolean;
  indexed: boolean;
  createdAt: string;
  /** When what it shows was read. */
  updatedAt: string;
  endsAt: string | null;
  ended: boolean;
  takenDown: boolean;
}

export type SourceIds = Pick<MakeShare, 'chatId' | 'messageId'>;

/** `GET /api/shares/source?chat=` or `?message=`: what would be shared now, and the page that is there. */
export interface ShareSource {
  share: Share | null;
  title: string;
  messages: number;
  /** Files of these messages, which are left out. */
  files: number;
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
}

export interface ShareSnapshot {
  title: string;
  messages: SharedMessage[];
}

export const sharePath = (id: string) => `/share/${id}`;

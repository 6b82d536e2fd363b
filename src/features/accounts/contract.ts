import { z } from 'zod/mini';
import type { Plan } from '#features/credits/contract.ts';
import { m } from '#messages';
import { formatDuration } from '#shared/format-duration.ts';

export { type MemoryNote, memoryLimits } from './instructions/memory-contract.ts';

export const emailSignIn = /* @__PURE__ */ (() =>
  z.object({
    email: z.string().check(z.maxLength(254)),
    next: z.optional(z.string().check(z.maxLength(2000))),
  }))();

export const codeSignIn = /* @__PURE__ */ (() =>
  z.object({
    email: z.string().check(z.maxLength(254)),
    code: z.string().check(z.regex(/^\s*\d{3}\s?\d{3}\s*$/)),
  }))();

export const providerNames = ['google', 'github'] as const;
export type ProviderName = (typeof providerNames)[number];

export const providerSignIn = /* @__PURE__ */ (() =>
  z.object({ next: z.optional(z.string().check(z.maxLength(2000))) }))();

export interface Me {
  id: string;
  email: string;
  name: string;
  avatarUrl: string | null;
  plan: Plan;
  credits: number;
  /** null: unlimited. */
  chatsLeftToday: number | null;
  welcomed: boolean;
  /** Instructions or memory notes of the user are sent with each chat message. */
  instructed: boolean;
  /** Model that new chats start with; null: the operator's first. */
  chatModel: string | null;
}

export interface SessionRow {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  current: boolean;
}

export const tooManyAttemptsText = (seconds: number): string =>
  m.too_many_attempts({ wait: formatDuration(seconds * 1000) });

export const restorePath = '/restore';

/** BroadcastChannel that announces sign-ins and sign-outs to other tabs. */
export const authChannel = 'auth';

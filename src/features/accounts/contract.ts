import { z } from 'zod/mini';
import type { Plan } from '#features/credits/contract.ts';
import { m } from '#messages';
import { formatDuration } from '#shared/format-duration.ts';

/** Body of `POST /api/sign-in/email`. `next` is one of our own paths, else it is ignored. */
export const emailSignIn = z.object({
  email: z.string().check(z.maxLength(254)),
  next: z.optional(z.string().check(z.maxLength(2000))),
});

/**
 * Body of `POST /api/sign-in/code`: the 6 digits of the same mail. Answers `{ me: Me }` with the session cookie, or
 * `{ restore }`, the page on which a deleted account is restored.
 */
export const codeSignIn = z.object({
  email: z.string().check(z.maxLength(254)),
  code: z.string().check(z.regex(/^\s*\d{3}\s?\d{3}\s*$/)),
});

export const providerNames = ['google', 'github'] as const;
export type ProviderName = (typeof providerNames)[number];

export const providerSignIn = z.object({ next: z.optional(z.string().check(z.maxLength(2000))) });

export interface Me {
  id: string;
  email: string;
  name: string;
  avatarUrl: string | null;
  plan: Plan;
  credits: number;
  /** null: unlimited. */
  chatsLeftToday: number | null;
  /** Whether this account got the welcome credits; they are given once a person. */
  welcomed: boolean;
}

export interface SessionRow {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  current: boolean;
}

/** The refusal of too many tries, which says how long to wait: seconds under 90, minutes, hours from 90 minutes on. */
export const tooManyAttemptsText = (seconds: number): string =>
  m.too_many_attempts({ wait: formatDuration(seconds * 1000) });

export const restorePath = '/restore';

/** Name of the event on `document` and of the BroadcastChannel that tell other parts of a sign-in or sign-out. */
export const authChannel = 'auth';

import { z } from 'zod/mini';
import { inWords } from '../../shared/duration.ts';
import type { Plan } from '../credits/contract.ts';

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

/** Whose accounts one can sign in with, where the operator has set them up. */
export const providerNames = ['google', 'github'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Body of `POST /api/auth/:provider`; answers `{ url }`, where the browser goes on. `next` as above. */
export const providerSignIn = z.object({ next: z.optional(z.string().check(z.maxLength(2000))) });

/** `GET /api/me`; 401 for a guest. */
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

/** Row of `GET /api/me/sessions`. */
export interface SessionRow {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  current: boolean;
}

export const signInTexts = {
  sent: 'Magic link sent! Check your email.',
  failed: 'Failed to send email, please try again',
  invalidEmail: 'Please enter a valid email address.',
  wrongCode: 'That code is wrong or has expired. Request a new one.',
  linkUsed: 'This link was used or has expired.',
  tooMany: 'Too many tries.',
} as const;

/** The refusal of too many tries, which says how long to wait: seconds under 90, minutes, hours from 90 minutes on. */
export function tooMany(seconds: number): string {
  return `${signInTexts.tooMany} Please try again in ${inWords(seconds * 1000)}.`;
}

/** Page on which a person who has just proven who they are may restore a deleted account. */
export const restorePath = '/restore';

/** Name of the event on `document` and of the BroadcastChannel that tell other parts of a sign-in or sign-out. */
export const authChannel = 'auth';

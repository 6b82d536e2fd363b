import { z } from 'zod/mini';

/**
 * What is consented to, by version: a new wording gets a new number, and the old ones stay, since a consent is proven by
 * its number.
 */
export const consentWordings: Readonly<Record<number, string>> = {
  1: 'New articles and what changed in the tools, by email, when there is something to say. We first send a link to confirm, and every mail has a link to unsubscribe.',
};

/** The wording that is shown and agreed to now. */
export const consentVersion = 1;

/** A wish to get the newsletter that is not confirmed lasts so many days; then it is deleted. */
export const confirmDays = 7;

export const newsletterPaths = {
  box: '/newsletter',
  api: '/api/newsletter',
  confirm: '/newsletter/confirm',
  leave: '/newsletter/unsubscribe',
  /** For mail programs (RFC 8058). */
  oneClick: '/api/newsletter/unsubscribe',
} as const;

export const newsletterTexts = {
  asked: 'Look into your mail: open the link there to confirm. It works for 7 days.',
  /** The same below the words 'Look into your mail'. */
  askedBelow: 'Open the link there to confirm. It works for 7 days.',
  invalidEmail: 'Please enter a valid email address.',
  confirmGone: 'This link was used or has expired.',
  leaveUnknown: 'This link belongs to no subscription.',
} as const;

/** Name of the field that people do not see and programs fill in. */
export const trapField = 'website';

/** Body of `POST /api/newsletter`; `source` is the path of the page that has the box. Answers `{ message }`. */
export const newsletterBody = z.object({
  email: z.string().check(z.maxLength(320)),
  source: z.optional(z.string().check(z.maxLength(200))),
  [trapField]: z.optional(z.string().check(z.maxLength(2000))),
});

/** A path of ours as it is kept as the source of a consent; empty for anything else. */
export function sourceOf(text: string | undefined): string {
  return text !== undefined && /^\/[a-z0-9/-]{0,100}$/.test(text) ? text : '';
}

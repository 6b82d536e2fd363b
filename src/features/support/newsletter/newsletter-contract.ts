import { z } from 'zod/mini';

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

export const newsletterHoneypotField = 'website';

/** Body of `POST /api/newsletter`; `source` is the path of the page that has the box. Answers `{ message }`. */
export const newsletterBody = z.object({
  email: z.string().check(z.maxLength(320)),
  source: z.optional(z.string().check(z.maxLength(200))),
  [newsletterHoneypotField]: z.optional(z.string().check(z.maxLength(2000))),
});

/** A path of ours as it is kept as the source of a consent; empty for anything else. */
export function sourceOf(text: string | undefined): string {
  return text !== undefined && /^\/[a-z0-9/-]{0,100}$/.test(text) ? text : '';
}

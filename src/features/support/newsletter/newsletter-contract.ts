import { z } from 'zod/mini';

export const confirmDays = 7;

export const newsletterPaths = {
  box: '/newsletter',
  api: '/api/newsletter',
  confirm: '/newsletter/confirm',
  leave: '/newsletter/unsubscribe',
  /** One-click unsubscribe, RFC 8058. */
  oneClick: '/api/newsletter/unsubscribe',
} as const;

export const newsletterHoneypotField = 'website';

/** `source`: path of the page with the form. */
export const newsletterBody = /* @__PURE__ */ (() =>
  z.object({
    email: z.string().check(z.maxLength(320)),
    source: z.optional(z.string().check(z.maxLength(200))),
    [newsletterHoneypotField]: z.optional(z.string().check(z.maxLength(2000))),
  }))();

/** Returns an empty string for anything that is not a path of the site. */
export function validSource(text: string | undefined): string {
  return text !== undefined && /^\/[a-z0-9/-]{0,100}$/.test(text) ? text : '';
}

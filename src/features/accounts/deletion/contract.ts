import { z } from 'zod/mini';

/** A deleted account can be restored for so many days; then it is erased. */
export const restoreDays = 30;
/** Whoever deletes an account has signed in within so many minutes. */
export const freshMinutes = 15;

export const deletionTexts = {
  wrong: 'Type the email address of your account to delete it.',
  again: 'For your safety, sign in again before you delete the account.',
} as const;

/** Body of `DELETE /api/me`. Answers 204. Pure, so that a page that needs only the texts loads no validator. */
export const deleteAccountBody = /* @__PURE__ */ (() =>
  z.object({ confirm: z.string().check(z.maxLength(1000)) }))();

/** Whether what was typed is the account's address. */
export function confirms(typed: string, email: string): boolean {
  return typed.trim().toLowerCase() === email.toLowerCase();
}

/** A day as these pages and mails write it, in UTC: November 21, 2026. */
export function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

import { z } from 'zod/mini';

export const restoreDays = 30;
export const recentSignInMinutes = 15;

/** Marked as pure, so that pages that need only the constants do not load the validator. */
export const deleteAccountBody = /* @__PURE__ */ (() =>
  z.object({ confirm: z.string().check(z.maxLength(1000)) }))();

export function isConfirmed(typed: string, email: string): boolean {
  return typed.trim().toLowerCase() === email.toLowerCase();
}

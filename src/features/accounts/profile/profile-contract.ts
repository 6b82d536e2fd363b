import { z } from 'zod/mini';

export const profileLimits = {
  avatarBytes: 5 * 1024 * 1024,
} as const;

/** Marked as pure, so that pages that need only the limits do not load the validator. */
export const changeProfile = /* @__PURE__ */ (() =>
  z.object({ name: z.string().check(z.maxLength(1000)) }))();

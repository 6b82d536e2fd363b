import { z } from 'zod/mini';

export const profileLimits = {
  avatarBytes: 5 * 1024 * 1024,
} as const;

/** Pure, so that a page that needs only the limits loads no validator. */
export const changeProfile = /* @__PURE__ */ (() =>
  z.object({ name: z.string().check(z.maxLength(1000)) }))();

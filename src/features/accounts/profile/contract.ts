import { z } from 'zod/mini';

export const profileLimits = {
  avatarBytes: 5 * 1024 * 1024,
} as const;

export const profileTexts = {
  name: 'A name has 1 to 80 characters and no hidden ones.',
  avatarType: 'Please choose a JPEG, PNG or WebP picture.',
  avatarSize: 'The picture may have at most 5 MB.',
  avatarTooOften: 'The picture was changed very often. Please wait a while.',
} as const;

/** Body of `PATCH /api/me`. Answers 200 with `Me`. Pure, so that a page that needs only the limits loads no validator. */
export const changeProfile = /* @__PURE__ */ (() =>
  z.object({ name: z.string().check(z.maxLength(1000)) }))();

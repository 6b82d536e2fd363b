import { z } from 'zod/mini';

export const profileLimits = {
  /** Characters of a name, as a reader counts them. */
  nameLength: 80,
  avatarBytes: 5 * 1024 * 1024,
} as const;

export const profileTexts = {
  name: 'A name has 1 to 80 characters.',
  avatarType: 'Please choose a JPEG, PNG or WebP picture.',
  avatarSize: 'The picture may have at most 5 MB.',
  avatarTooOften: 'The picture was changed very often. Please wait a while.',
} as const;

/** Body of `PATCH /api/me`. Answers 200 with `Me`. Pure, so that a page that needs only the limits loads no validator. */
export const changeProfile = /* @__PURE__ */ (() =>
  z.object({ name: z.string().check(z.maxLength(1000)) }))();

/** A name as it is kept, or null for none: trimmed, 1 to 80 characters, something to see, nothing that controls. */
export function nameOf(text: string): string | null {
  const name = text.trim();
  const visible = /[^\p{C}\p{Z}\p{M}]/u.test(name);
  if (!visible || /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) return null;
  return [...name].length <= profileLimits.nameLength ? name : null;
}

import { m } from '#messages';
import type { ShareKind } from '../contract.ts';

type Words<Values> = Record<ShareKind, (values: Values) => string>;

/** Names above a page. */
export const kindNames: Words<{ count: number }> = {
  chat: m.shared_kind_chat,
  reply: m.shared_kind_reply,
  text: m.shared_kind_text,
  script: m.shared_kind_script,
  images: m.shared_kind_images,
};

export const descriptions: Words<{ brand: string; count: number }> = {
  chat: m.shared_description,
  reply: m.shared_description,
  text: m.shared_description_text,
  script: m.shared_description_script,
  images: m.shared_description_images,
};

/** Notes about who made the content. */
export const notes: Words<{ brand: string; count: number }> = {
  chat: m.shared_note,
  reply: m.shared_note,
  text: m.shared_note_text,
  script: m.shared_note_text,
  images: m.shared_note_images,
};

import { z } from 'zod/mini';
import { cleanInputLine } from '#shared/input-text.ts';
import { libraryItems } from '../contract.ts';

export const tagLimits = {
  /** Per person. */
  tags: 100,
  /** Per item. */
  ofItem: 20,
  /** Per tag; the listing of a tag sorts all of its items. */
  items: 5_000,
  /** Code points. */
  name: 40,
} as const;

export const cleanTagName = (text: string): string => cleanInputLine(text).normalize('NFC');

/** Two names with the same key are the same tag, regardless of case and Unicode composition. */
export const tagKey = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Body of `POST /api/library/tags` and `PATCH /api/library/tags/:id`. */
export const nameTag = /* @__PURE__ */ (() => z.object({ name: z.string() }))();

const tagIds = /* @__PURE__ */ (() => z.array(z.uuid()).check(z.maxLength(tagLimits.tags)))();

/** Body of `POST /api/library/selection/tags`, which returns a TaggingOutcome. */
export const tagItems = /* @__PURE__ */ (() =>
  z
    .object({ items: libraryItems, add: tagIds, remove: tagIds })
    .check(z.refine(({ add, remove }) => add.length + remove.length > 0)))();
export type TagItems = z.infer<typeof tagItems>;

/** Each item is handled alone: a refusal does not affect the others. */
export interface TaggingOutcome {
  /** Ids of the tags that were actually added to and removed from each item. */
  done: { id: string; added: string[]; removed: string[] }[];
  refused: { id: string; error: string }[];
}

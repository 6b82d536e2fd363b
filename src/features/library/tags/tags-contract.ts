import { z } from 'zod/mini';
import { cleanInputLine } from '#shared/input-text.ts';
import { libraryItems } from '../contract.ts';

export const tagLimits = {
  /** Of one person. */
  tags: 100,
  /** Of one item. */
  ofItem: 20,
  /** With one tag: the list of a tag is sorted from all of them. */
  items: 5_000,
  /** Code points. */
  name: 40,
} as const;

export const cleanTagName = (text: string): string => cleanInputLine(text).normalize('NFC');

/** Tags of one person with the same are one: in any case, composed or not. */
export const tagKey = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Body of `POST /api/library/tags` and `PATCH /api/library/tags/:id`. */
export const nameTag = /* @__PURE__ */ (() => z.object({ name: z.string() }))();

const tagIds = /* @__PURE__ */ (() => z.array(z.uuid()).check(z.maxLength(tagLimits.tags)))();

/** Body of `POST /api/library/selection/tags`. Answers TaggingOutcome. */
export const tagItems = /* @__PURE__ */ (() =>
  z
    .object({ items: libraryItems, add: tagIds, remove: tagIds })
    .check(z.refine(({ add, remove }) => add.length + remove.length > 0)))();
export type TagItems = z.infer<typeof tagItems>;

/** Each item by itself: what one is refused for does not keep the others. */
export interface TaggingOutcome {
  /** What has changed of each: ids of tags. */
  done: { id: string; added: string[]; removed: string[] }[];
  refused: { id: string; error: string }[];
}

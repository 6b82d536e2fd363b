import { database } from '../../../platform/database/database.server.ts';
import type { SourcePage } from '../lookup/service.server.ts';
import type { Rest } from '../pace/service.server.ts';
import { pagesOf } from '../store.server.ts';

/** The pages of a document as they are held while it is worked with: the places of words in four bytes a number. */
export async function heldPages(documentId: string, rest: Rest): Promise<SourcePage[]> {
  const held: SourcePage[] = [];
  for (const { page, text, boxes } of await pagesOf(database(), documentId)) {
    held.push({ page, text, boxes: Int32Array.from(boxes) });
    await rest();
  }
  return held;
}

import { validate as isUuid } from 'uuid';
import { hasNote } from '#features/accounts/service.server.ts';
import { hasAssistant, hasProject } from '#features/chat/service.server.ts';
import { hasImages } from '#features/images/service.server.ts';
import { hasTag } from '#features/library/service.server.ts';
import { hasDocument } from '#features/pdfs/service.server.ts';
import { hasPrompt } from '#features/prompts/service.server.ts';
import { hasText } from '#features/texts/service.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import type { ItemKind } from './contract.ts';
import { type ItemKey, knownItem } from './imported-items-store.server.ts';

/** Whether the person has this item and it is not deleted. */
const has: Record<ItemKind, (db: Database, userId: string, id: string) => Promise<boolean>> = {
  text: hasText,
  image: hasImages,
  document: hasDocument,
  project: hasProject,
  assistant: hasAssistant,
  prompt: hasPrompt,
  tag: hasTag,
  note: hasNote,
  // Instructions are only written if the person has none.
  instructions: async () => false,
};

/**
 * Finds the person's item for one in an archive: the item imported from it, or the original if this account made the
 * archive.
 */
export async function ownItem(key: ItemKey): Promise<{ id: string; importId: string | null } | null> {
  const { userId, kind, sourceId } = key;
  const known = await knownItem(database(), key);
  if (known && (await has[kind](database(), userId, known.item_id)))
    return { id: known.item_id, importId: known.import_id };
  const isOwn = isUuid(sourceId) && (await has[kind](database(), userId, sourceId));
  return isOwn ? { id: sourceId, importId: null } : null;
}

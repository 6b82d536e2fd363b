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

/** Whether one is the person's own and not deleted. */
const has: Record<ItemKind, (db: Database, userId: string, id: string) => Promise<boolean>> = {
  text: hasText,
  image: hasImages,
  document: hasDocument,
  project: hasProject,
  assistant: hasAssistant,
  prompt: hasPrompt,
  tag: hasTag,
  note: hasNote,
  // They are written where there are none alone.
  instructions: async () => false,
};

/** What of the person's is that of an archive: made of it, or it itself, where the archive is of this very account. */
export async function ownItem(key: ItemKey): Promise<{ id: string; importId: string | null } | null> {
  const { userId, kind, sourceId } = key;
  const known = await knownItem(database(), key);
  if (known && (await has[kind](database(), userId, known.item_id)))
    return { id: known.item_id, importId: known.import_id };
  const isOwn = isUuid(sourceId) && (await has[kind](database(), userId, sourceId));
  return isOwn ? { id: sourceId, importId: null } : null;
}

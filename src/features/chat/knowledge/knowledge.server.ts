import { m } from '#messages';
import { transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { markRemoved, visibleAttachment } from '../attachments/attachment-store.server.ts';
import { knowledgeLimits } from './knowledge-contract.ts';
import { addKnowledgeFile, type Keeper, lockKeeper, removeKnowledgeFile } from './knowledge-store.server.ts';

interface KeeperFile {
  keeper: Keeper;
  fileId: string;
}

const validateIds = ({ keeper, fileId }: KeeperFile): KeeperFile => ({
  keeper: { ...keeper, id: requireUuid(keeper.id) },
  fileId: requireUuid(fileId).toLowerCase(),
});

/** Does nothing if the keeper has the file. @throws Problem if either is not the person's own, or there is no room */
export async function addFile({ actor, input }: ActorInput<KeeperFile>): Promise<void> {
  const { keeper, fileId } = validateIds(input);
  await transaction(async (tx) => {
    const files = requireFound(await lockKeeper(tx, actor.userId, keeper));
    requireFound(await visibleAttachment(tx, actor.userId, fileId));
    if (files.includes(fileId)) return;
    if (files.length >= knowledgeLimits.files)
      throw new Problem('conflict', m.knowledge_full({ most: knowledgeLimits.files }));
    if (!(await addKnowledgeFile(tx, actor.userId, { keeper, fileId }))) throw notFound();
  });
}

/** A file that nothing else uses is erased later; until then it can be added again. */
export async function removeFile({ actor, input }: ActorInput<KeeperFile>): Promise<void> {
  const { keeper, fileId } = validateIds(input);
  await transaction(async (tx) => {
    requireFound(await lockKeeper(tx, actor.userId, keeper));
    if (!(await removeKnowledgeFile(tx, { keeper, fileId }))) throw notFound();
    await markRemoved(tx, fileId);
  });
}

import { database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { requireFound, requireUuid } from '#platform/http/problem.server.ts';
import type { WebSearch } from '../contract.ts';
import { findWebSearch } from './web-search-store.server.ts';

/** @throws Problem if the reply is not the person's own, or had no web search */
export async function readWebSearch({
  actor,
  input: { generationId },
}: ActorInput<{ generationId: string }>): Promise<WebSearch> {
  const row = requireFound(await findWebSearch(database(), actor.userId, requireUuid(generationId)));
  return requireFound(row.web);
}

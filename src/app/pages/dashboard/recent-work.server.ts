import { kindName } from '#features/library/contract.ts';
import { listRecent } from '#features/library/service.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';

export interface RecentItem {
  path: string;
  title: string;
  tool: string;
  /** ISO 8601, UTC. */
  at: string;
}

const MAX_ITEMS = 8;

export async function recentWork(actor: UserActor): Promise<RecentItem[]> {
  const items = await listRecent({ actor, input: { limit: MAX_ITEMS } });
  return items.map(({ path, title, kind, at }) => ({
    path,
    title: title.map(({ text }) => text).join(''),
    tool: kindName(kind, 'one'),
    at,
  }));
}

import { listChats } from '../../../features/chat/service.server.ts';
import { listJobs } from '../../../features/image/service.server.ts';
import { listDocuments } from '../../../features/pdf/service.server.ts';
import { listWorks } from '../../../features/works/service.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';

/** Something that a person made or began. */
export interface RecentItem {
  path: string;
  title: string;
  tool: 'Chat' | 'Text' | 'Script' | 'Picture' | 'Document';
  /** ISO 8601, UTC. */
  at: string;
}

const SHOWN = 8;

/** The newest of what the actor has, whatever tool made it. */
export async function recentWork(actor: UserActor): Promise<RecentItem[]> {
  const [{ chats }, texts, scripts, { jobs }, { documents }] = await Promise.all([
    listChats({ actor, input: {} }),
    listWorks({ actor, input: { feature: 'writer' } }),
    listWorks({ actor, input: { feature: 'script' } }),
    listJobs({ actor, input: {} }),
    listDocuments({ actor }),
  ]);
  const items: RecentItem[] = [
    ...chats.map(({ id, title, updatedAt: at }) => ({
      path: `/chat/${id}`,
      title,
      tool: 'Chat' as const,
      at,
    })),
    ...[...texts.works, ...scripts.works].map(({ id, feature, title, updatedAt: at }) => ({
      path: `/tools/${feature}/${id}`,
      title,
      tool: feature === 'writer' ? ('Text' as const) : ('Script' as const),
      at,
    })),
    ...jobs.map(({ id, prompt, createdAt: at }) => ({
      path: `/tools/image/${id}`,
      title: prompt.slice(0, 120),
      tool: 'Picture' as const,
      at,
    })),
    ...documents.map(({ id, name, createdAt: at }) => ({
      path: `/tools/pdf/${id}`,
      title: name,
      tool: 'Document' as const,
      at,
    })),
  ];
  return items.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, SHOWN);
}

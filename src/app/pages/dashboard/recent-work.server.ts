import { listChats } from '#features/chat/service.server.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import { listJobs } from '#features/images/service.server.ts';
import { listDocuments } from '#features/pdfs/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { listTexts } from '#features/texts/service.server.ts';
import { m } from '#messages';
import type { UserActor } from '#platform/http/actor.server.ts';

export interface RecentItem {
  path: string;
  title: string;
  tool: string;
  /** ISO 8601, UTC. */
  at: string;
}

const SHOWN = 8;

const kinds: Partial<Record<Feature, () => string>> = {
  writer: m.dashboard_text_kind,
  script: m.dashboard_script_kind,
};
const kindOf = (feature: Feature) => kinds[feature]?.() ?? featureTable[feature].name;

export async function recentWork(actor: UserActor): Promise<RecentItem[]> {
  const [{ chats }, { jobs }, { documents }, ...texts] = await Promise.all([
    listChats({ actor, input: {} }),
    listJobs({ actor, input: {} }),
    listDocuments({ actor }),
    ...textFeatures.map((feature) => listTexts({ actor, input: { feature } })),
  ]);
  const items: RecentItem[] = [
    ...chats.map(({ id, title, updatedAt: at }) => ({
      path: `/chat/${id}`,
      title,
      tool: m.dashboard_chat_kind(),
      at,
    })),
    ...texts
      .flatMap(({ works }) => works)
      .map(({ id, feature, title, updatedAt: at }) => ({
        path: `${featureTable[feature].page}/${id}`,
        title,
        tool: kindOf(feature),
        at,
      })),
    ...jobs.map(({ id, prompt, createdAt: at }) => ({
      path: `/tools/image/${id}`,
      title: prompt.slice(0, 120),
      tool: m.dashboard_image_kind(),
      at,
    })),
    ...documents.map(({ id, name, createdAt: at }) => ({
      path: `/tools/pdf/${id}`,
      title: name,
      tool: m.dashboard_pdf_kind(),
      at,
    })),
  ];
  return items.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, SHOWN);
}

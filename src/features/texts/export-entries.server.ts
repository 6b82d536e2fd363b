import { z } from 'zod';
import type { ExportEntries, ExportFile } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { slugOf } from '#shared/slug.ts';
import { textFeatures } from './contract.ts';
import {
  newestText,
  type TextExportRow,
  textsAfter,
  type VersionExportRow,
  versionsAfter,
} from './privacy-store.server.ts';
import { ownText } from './store.server.ts';

const TEXT_PAGE_SIZE = 50;
const VERSION_PAGE_SIZE = 10;
const time = z.iso.datetime();

const everyText = ({ userId }: UserActor) =>
  everyRow<TextExportRow>(TEXT_PAGE_SIZE, (last, size) => textsAfter(database(), userId, last, size));

const versionsOf = (id: string) =>
  everyRow<VersionExportRow>(VERSION_PAGE_SIZE, (last, size) =>
    versionsAfter(database(), id, last?.position ?? 0, size),
  );

/** A screenplay is exported as Fountain, anything else as Markdown. */
function fileName({
  id,
  title,
  feature,
  created_at,
}: Pick<TextExportRow, 'id' | 'title' | 'feature' | 'created_at'>): string {
  const extension = feature === 'script' ? 'fountain' : 'md';
  return `works/${created_at.toISOString().slice(0, 10)}-${slugOf(title, feature)}-${id}.${extension}`;
}

/** Returns the newest text as a file. */
export async function textFile({ actor, input }: ActorInput<{ id: string }>): Promise<ExportFile> {
  const work = requireFound(await ownText(database(), actor.userId, requireUuid(input.id)));
  async function* content() {
    yield await newestText(database(), work.id);
  }
  return { name: fileName(work), content: content() };
}

export const textsExportEntries = {
  json: {
    works: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            tool: z.enum(textFeatures),
            title: z.string(),
            author: z.string().nullable().describe('Whom its title page names; null for your name here'),
            createdAt: time,
            updatedAt: time,
            deletedAt: time.nullable().describe('Set while a deleted work waits to be erased'),
            file: z.string().nullable().describe('Path of its newest text in this archive'),
            versions: z.array(
              z.object({
                id: z.uuid(),
                kind: z.enum(['generated', 'edited', 'refined', 'restored']),
                settings: z.unknown().describe('What it was asked for'),
                content: z.string(),
                note: z.string().nullable(),
                createdAt: time,
                generationId: z.uuid().nullable(),
              }),
            ),
          }),
        )
        .describe('What was written with the tools'),
      async *read(actor: UserActor) {
        for await (const work of everyText(actor)) {
          const file = work.deleted_at ? null : fileName(work);
          yield { ...work, tool: work.feature, file, versions: versionsOf(work.id) };
        }
      },
    },
  },
  async *files(actor: UserActor) {
    for await (const work of everyText(actor))
      if (!work.deleted_at) yield { name: fileName(work), content: await newestText(database(), work.id) };
  },
} satisfies ExportEntries;

import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { itemsToExport, tagsToExport } from './tags/tags-store.server.ts';

export const libraryExportEntries = {
  json: {
    tags: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            createdAt: z.iso.datetime(),
            items: z.array(
              z.object({
                kind: z.string().describe('chat, image, pdf, file, prompts, or the tool of a text'),
                id: z.uuid(),
              }),
            ),
          }),
        )
        .describe('Tags of your library, and what they are on'),
      async *read({ userId }: UserActor) {
        for (const tag of await tagsToExport(database(), userId))
          yield { ...tag, items: await itemsToExport(database(), tag.id) };
      },
    },
  },
} satisfies ExportEntries;

import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { findSubscriptions } from './notifications/subscription-store.server.ts';

export const devicesExportEntries = {
  json: {
    notifications: {
      schema: z
        .array(
          z.object({
            sessionId: z.uuid(),
            pushService: z.string(),
            language: z.string(),
            createdAt: z.iso.datetime(),
          }),
        )
        .describe('Browsers that are notified; without the addresses by which they are'),
      async read({ userId }: UserActor) {
        const rows = await findSubscriptions(database(), userId);
        return rows.map(({ endpoint, ...row }) => ({ ...row, pushService: new URL(endpoint).host }));
      },
    },
  },
} satisfies ExportEntries;

import { z } from 'zod';
import { config } from '#platform/config/config.server.ts';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { shareKinds, sharePath } from './contract.ts';
import { sharesAfter } from './store.server.ts';

/** Each row may have 512 KiB. */
const PAGE_SIZE = 5;
const time = z.iso.datetime();

async function* read({ userId }: UserActor) {
  for await (const row of everyRow<Awaited<ReturnType<typeof sharesAfter>>[number]>(PAGE_SIZE, (last, size) =>
    sharesAfter(database(), userId, last?.id ?? null, size),
  ))
    yield {
      ...row,
      url: config().publicUrl + sharePath(row.id),
      messages:
        row.messages?.map((message) => ({ sources: [], images: 0, partial: false, ...message })) ?? null,
    };
}

export const sharesExportEntries = {
  json: {
    shares: {
      schema: z
        .array(
          z.object({
            url: z.url(),
            kind: z.enum(shareKinds),
            chatId: z.uuid().nullable(),
            messageId: z.uuid().nullable().describe('The reply that is shared alone'),
            workId: z.uuid().nullable().describe('The text or the script'),
            pictureIds: z.array(z.uuid()).nullable().describe('The images'),
            title: z.string(),
            messages: z
              .array(
                z.object({
                  role: z.enum(['user', 'assistant']),
                  text: z.string(),
                  files: z.int(),
                  images: z.int().describe('That were drawn as this reply, and are not shown'),
                  partial: z.boolean().describe('A reply that was stopped, failed, or reached its longest'),
                  sources: z.array(
                    z.object({ url: z.url(), title: z.string(), date: z.string().nullable() }),
                  ),
                }),
              )
              .nullable()
              .describe('As they were at updatedAt; null once the page was taken down'),
            content: z.string().nullable().describe('Of a text or a script, as it was at updatedAt'),
            showName: z.boolean(),
            showPrompts: z.boolean(),
            indexed: z.boolean().describe('Search engines may list it'),
            createdAt: time,
            updatedAt: time,
            endsAt: time.nullable(),
            takenDown: z.boolean().describe('By the operator'),
          }),
        )
        .describe('Pages that show a chat, a reply, a text, a script or images to whoever has their address'),
      read,
    },
  },
} satisfies ExportEntries;

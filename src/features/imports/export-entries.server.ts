import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { itemKinds } from './contract.ts';
import { type ImportedChatExportRow, importedChatsAfter } from './imported-chats-store.server.ts';
import {
  type ImportedItemExportRow,
  importedItemsAfter,
  recordedKinds,
} from './imported-items-store.server.ts';
import { importsOf } from './store.server.ts';

const PAGE = 200;
/** More than the rate limit allows anybody to start in a month. */
const IMPORTS = 10_000;
const time = z.iso.datetime();
const source = z.enum(['chatgpt', 'claude', 'archive']);

export const importsExportEntries = {
  json: {
    imports: {
      schema: z.array(
        z.object({
          name: z.string().describe('Of the file'),
          bytes: z.int(),
          source: source.nullable(),
          state: z.string(),
          failure: z.string().nullable(),
          added: z.int().describe('Chats that were made of it'),
          present: z.int().describe('Chats of it that were there already'),
          items: z
            .partialRecord(z.enum(itemKinds), z.object({ added: z.int(), present: z.int() }))
            .describe('What came beside the chats'),
          leftOut: z.record(z.string(), z.int()).describe('What is not here of it, and how often'),
          createdAt: time,
          finishedAt: time.nullable(),
        }),
      ),
      read: ({ userId }: UserActor) => importsOf(database(), userId, IMPORTS),
    },
    importedChats: {
      schema: z
        .array(z.object({ source, sourceId: z.string(), chatId: z.uuid(), createdAt: time }))
        .describe('Which chat was made of which, so that it is not made twice'),
      read: ({ userId }: UserActor) =>
        everyRow<ImportedChatExportRow>(PAGE, (last, size) =>
          importedChatsAfter(database(), userId, last, size),
        ),
    },
    importedItems: {
      schema: z
        .array(
          z.object({ kind: z.enum(recordedKinds), sourceId: z.string(), itemId: z.uuid(), createdAt: time }),
        )
        .describe('As importedChats, of what came beside the chats'),
      read: ({ userId }: UserActor) =>
        everyRow<ImportedItemExportRow>(PAGE, (last, size) =>
          importedItemsAfter(database(), userId, last, size),
        ),
    },
  },
} satisfies ExportEntries;

import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { likesAfter, promptsAfter, reportsOf, usesAfter } from './privacy-store.server.ts';

/** Each prompt can have 24 KB. */
const PAGE_SIZE = 50;
const time = z.iso.datetime();
const title = z.string().nullable().describe('null for one that has left the library');

/** @param read returns rows after the prompt with this id */
const readAll =
  <Row extends { id?: string; prompt_id?: string }>(
    read: (db: Database, userId: string, after: string | null, limit: number) => Promise<Row[]>,
  ) =>
  ({ userId }: UserActor) =>
    everyRow<Row>(PAGE_SIZE, (last, size) =>
      read(database(), userId, last?.prompt_id ?? last?.id ?? null, size),
    );

export const promptsExportEntries = {
  json: {
    prompts: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          description: z.string(),
          content: z.string(),
          category: z.string(),
          state: z.string().describe('private, pending, approved, rejected, or withdrawn by the operator'),
          reason: z.string().nullable(),
          likes: z.int(),
          createdAt: time,
          updatedAt: time,
          deletedAt: time.nullable().describe('Set while a deleted prompt waits to be erased'),
        }),
      ),
      read: readAll(promptsAfter),
    },
    likedPrompts: {
      schema: z.array(z.object({ promptId: z.uuid(), title, createdAt: time })),
      read: readAll(likesAfter),
    },
    usedPrompts: {
      schema: z.array(
        z.object({
          promptId: z.uuid(),
          title,
          createdAt: time.describe('When you first used it'),
          stars: z.int().nullable().describe('Your rating, 1 to 5'),
          ratedAt: time.nullable(),
        }),
      ),
      read: readAll(usesAfter),
    },
    reportedPrompts: {
      schema: z.array(z.object({ promptId: z.uuid(), reason: z.string(), createdAt: time })),
      read: ({ userId }: UserActor) => reportsOf(database(), userId),
    },
  },
} satisfies ExportEntries;

import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { failureText } from './failure-text.server.ts';
import { type RunRow, runsAfter } from './privacy-store.server.ts';

const RUNS = 50;
const time = z.iso.datetime();

export const generationsExportEntries = {
  json: {
    generations: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          feature: z.string(),
          state: z.string(),
          createdAt: time,
          finishedAt: time.nullable(),
          creditsCharged: z.int(),
          finishReason: z.string().nullable(),
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
          text: z.string().nullable().describe('null for chat replies, whose text is the message'),
          thinking: z.string().nullable().describe('null for chat replies, whose message has it'),
          result: z.unknown(),
        }),
      ),
      async *read({ userId }: UserActor) {
        const read = (last: RunRow | null, limit: number) =>
          runsAfter(database(), userId, { after: last?.id ?? null, limit, textless: ['chat'] });
        for await (const row of everyRow(RUNS, read))
          yield {
            ...row,
            error: row.error_code
              ? { code: row.error_code, message: failureText(row.error_message ?? '') }
              : null,
          };
      },
    },
  },
} satisfies ExportEntries;

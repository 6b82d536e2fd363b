import { z } from 'zod';
import { type ExportEntries, storedBytes } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { slugOf } from '#shared/slug.ts';
import { describeNotes } from './document-notes.server.ts';
import { type DocumentRecord, documentsAfter, runsOf } from './store.server.ts';

const PAGE_SIZE = 50;
const RUN_LIMIT = 1_000;
const time = z.iso.datetime();

export const fileName = ({ id, name, created_at }: DocumentRecord) =>
  `documents/${created_at.toISOString().slice(0, 10)}-${slugOf(name.replace(/\.\w{1,10}$/, ''), 'document')}-${id}.pdf`;

const everyDocument = ({ userId }: UserActor) =>
  everyRow<DocumentRecord>(PAGE_SIZE, (last, limit) =>
    documentsAfter(database(), { userId, after: last?.id ?? null, limit }),
  );

export const pdfsExportEntries = {
  json: {
    documents: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            bytes: z.int(),
            pages: z.int(),
            pagesRead: z.int(),
            note: z.string().nullable(),
            createdAt: time,
            deletedAt: time.nullable().describe('Set while a deleted document waits to be erased'),
            file: z.string().describe('Path in this archive'),
            runs: z.array(
              z.object({
                generationId: z.uuid().nullable().describe('Null for one that an archive brought'),
                kind: z.enum(['analysis', 'question']),
                state: z.string(),
                question: z.string().nullable(),
                result: z.unknown().describe('What was found, with its quotes and their places'),
                createdAt: time,
              }),
            ),
          }),
        )
        .describe(
          'Files of the PDF Analyzer, the newest analysis, the newest whole one and the questions of each',
        ),
      async *read(actor: UserActor) {
        for await (const row of everyDocument(actor))
          yield {
            ...row,
            note: describeNotes(row.note),
            file: fileName(row),
            runs: await runsOf(database(), row.id, RUN_LIMIT),
          };
      },
    },
  },
  async *files(actor: UserActor) {
    for await (const row of everyDocument(actor))
      yield { name: fileName(row), content: storedBytes(row.file_key) };
  },
} satisfies ExportEntries;

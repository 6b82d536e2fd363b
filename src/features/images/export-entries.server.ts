import { z } from 'zod';
import { type ExportEntries, type ExportFile, storedBytes } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { slugOf } from '#shared/slug.ts';
import { type ExportedJobRow, jobsAfter, picturesOfJob } from './privacy-store.server.ts';
import { ownJob, picturesOf } from './store.server.ts';

const JOBS = 50;
const time = z.iso.datetime();

const fileName = ({ prompt }: { prompt: string }, { id, created_at }: { id: string; created_at: Date }) =>
  `images/${created_at.toISOString().slice(0, 10)}-${slugOf(prompt, 'image')}-${id}.png`;

async function* everyJob({ userId }: UserActor) {
  const read = (last: ExportedJobRow | null, size: number) =>
    jobsAfter(database(), userId, last?.id ?? null, size);
  for await (const job of everyRow(JOBS, read)) {
    const rows = await picturesOfJob(database(), job.id);
    const pictures = rows.map((row) => ({ ...row, file: fileName(job, row) }));
    yield { ...job, pictures };
  }
}

/** Returns the images of a set. */
export async function pictureFiles({ actor, input }: ActorInput<{ id: string }>): Promise<ExportFile[]> {
  const job = requireFound(await ownJob(database(), actor.userId, requireUuid(input.id)));
  if (job.deleted_at) throw notFound();
  const pictures = await picturesOf(database(), [job.id]);
  return pictures.map((row) => ({ name: fileName(job, row), content: storedBytes(row.file_key) }));
}

export const imagesExportEntries = {
  json: {
    images: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            prompt: z.string(),
            size: z.string(),
            count: z.int().describe('Pictures that were asked for'),
            model: z.string(),
            imported: z.boolean().describe('Out of an archive: not made here, and not charged'),
            createdAt: time,
            deletedAt: time.nullable().describe('Set while a deleted request waits to be erased'),
            pictures: z.array(
              z.object({
                id: z.uuid(),
                width: z.int(),
                height: z.int(),
                bytes: z.int(),
                createdAt: time,
                deletedAt: time.nullable(),
                file: z.string().describe('Path in this archive'),
              }),
            ),
          }),
        )
        .describe('Requests for pictures and what was made'),
      read: everyJob,
    },
  },
  async *files(actor: UserActor) {
    for await (const { pictures } of everyJob(actor))
      for (const { file, file_key } of pictures) yield { name: file, content: storedBytes(file_key) };
  },
} satisfies ExportEntries;

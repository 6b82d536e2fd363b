import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { fileKey, openFile } from './files/file-store.server.ts';
import type { UserActor } from './http/actor.server.ts';

/** A file of the archive of a person's data: its whole bytes, or its bytes or text as they are made. */
export interface ExportFile {
  name: string;
  content: Buffer | string | AsyncIterable<string | Buffer>;
}

export interface ExportEntries {
  /**
   * Parts of export.json by name. Of what is read, only what the schema names is written; a column `created_at` is
   * `createdAt`, and what is read row by row is written row by row.
   */
  json: Record<
    string,
    { schema: z.ZodType; read(actor: UserActor): AsyncIterable<object> | Promise<object> }
  >;
  /** Files beside it, which are made as they are asked for. */
  files?: (actor: UserActor) => AsyncIterable<ExportFile>;
}

/** The bytes of a stored file as they are asked for; none where they are missing. */
export async function* storedBytes(key: string): AsyncGenerator<Buffer> {
  const stream: Readable | undefined = (await openFile(fileKey(key)))?.stream;
  yield* (stream ?? []) as AsyncIterable<Buffer>;
}

import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { fileKey, openFile } from './files/file-store.server.ts';
import type { UserActor } from './http/actor.server.ts';

export interface ExportFile {
  name: string;
  content: Buffer | string | AsyncIterable<string | Buffer>;
}

export interface ExportEntries {
  /** Parts of export.json. Only fields of the schema are written, and a column `created_at` becomes `createdAt`. */
  json: Record<
    string,
    { schema: z.ZodType; read(actor: UserActor): AsyncIterable<object> | Promise<object> }
  >;
  files?: (actor: UserActor) => AsyncIterable<ExportFile>;
}

export async function* storedBytes(key: string): AsyncGenerator<Buffer> {
  const stream: Readable | undefined = (await openFile(fileKey(key)))?.stream;
  yield* (stream ?? []) as AsyncIterable<Buffer>;
}

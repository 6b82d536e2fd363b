import { fileKey, removeFile, storedFiles } from './files.server.ts';

const BATCH = 200;
/** What is stored is written down within a minute of its files. */
const STRAY_MINUTES = 60;
/** The sweep comes once a day. */
const UNSWEPT_MINUTES = 2 * 24 * 60;

/** A kind of stored files, and how to tell which of some keys no row names. */
interface FileKind {
  kind: string;
  unknownKeys: (keys: string[]) => Promise<string[]>;
}

/** Removes files whose rows are gone. */
export async function removeFiles(keys: string[]): Promise<void> {
  for (const key of keys) await removeFile(fileKey(key));
}

/** Keys of files of so many minutes that no row names: a crash came between the two. */
async function* strays({ kind, unknownKeys }: FileKind, minutes: number): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of storedFiles(kind, minutes)) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    yield* await unknownKeys(batch);
    batch = [];
  }
  yield* await unknownKeys(batch);
}

/** Removes files that no row names. @returns their number. */
export async function removeStrays(files: FileKind): Promise<number> {
  let removed = 0;
  for await (const key of strays(files, STRAY_MINUTES)) {
    await removeFiles([key]);
    removed++;
  }
  return removed;
}

/** Keys of files that no row names and that should have been swept. */
export const unsweptFiles = (files: FileKind): AsyncGenerator<string> => strays(files, UNSWEPT_MINUTES);

import type pg from 'pg';
import { type FileKey, fileKey } from '#platform/files/file-store.server.ts';
import { features } from '../features.ts';

/** Batch size, because a site may have millions of files. */
const BATCH_SIZE = 10_000;

/** Yields the keys of all files that rows refer to. @param client must be in a transaction, for the cursor. */
export async function* referencedFiles(client: pg.Client): AsyncGenerator<FileKey> {
  for (const { fileKeys } of features) {
    if (!fileKeys) continue;
    await client.query(`declare file_keys no scroll cursor for ${fileKeys.text}`);
    for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
      const { rows } = await client.query<{ key: string }>(`fetch ${BATCH_SIZE} from file_keys`);
      count = rows.length;
      for (const { key } of rows) yield fileKey(key);
    }
    await client.query('close file_keys');
  }
}

/** Runs the work for each item, up to `concurrency` in parallel, and yields the results in order. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Prevents an unhandled rejection; the error is thrown when the result is awaited in order.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= concurrency) yield (await running.shift()) as R;
  }
  for (const each of running) yield await each;
}

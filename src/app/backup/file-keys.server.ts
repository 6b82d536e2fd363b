import type pg from 'pg';
import { type FileKey, fileKey } from '#platform/files/file-store.server.ts';
import { features } from '../features.ts';

/** Batch size, because a site may have millions of files. */
const KEYS_AT_ONCE = 10_000;

/** Yields the keys of all files that rows refer to. @param client must be in a transaction, for the cursor. */
export async function* namedFiles(client: pg.Client): AsyncGenerator<FileKey> {
  for (const { fileKeys } of features) {
    if (!fileKeys) continue;
    await client.query(`declare file_keys no scroll cursor for ${fileKeys.text}`);
    for (let count = KEYS_AT_ONCE; count === KEYS_AT_ONCE; ) {
      const { rows } = await client.query<{ key: string }>(`fetch ${KEYS_AT_ONCE} from file_keys`);
      count = rows.length;
      for (const { key } of rows) yield fileKey(key);
    }
    await client.query('close file_keys');
  }
}

/** Runs the work for each item, up to `atOnce` in parallel, and yields the results in order. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const next = work(item);
    // Prevents an unhandled rejection; the error is thrown when the result is awaited in order.
    next.catch(() => undefined);
    running.push(next);
    if (running.length >= atOnce) yield (await running.shift()) as R;
  }
  for (const each of running) yield await each;
}

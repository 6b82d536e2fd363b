import type pg from 'pg';
import { type FileKey, fileKey } from '#platform/files/file-store.server.ts';
import { features } from '../features.ts';

/** Of a site with millions of files. */
const KEYS_AT_ONCE = 10_000;

/** @param client within a transaction, for its cursor. */
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

/** Does work for each of many, some at once, and yields its results in their order. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const next = work(item);
    // Waited for in its turn.
    next.catch(() => undefined);
    running.push(next);
    if (running.length >= atOnce) yield (await running.shift()) as R;
  }
  for (const each of running) yield await each;
}

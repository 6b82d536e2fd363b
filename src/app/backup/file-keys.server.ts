import type pg from 'pg';
import { type FileKey, fileKey } from '#platform/files/file-store.server.ts';
import { features } from '../features.ts';

export async function* namedFiles(client: pg.Client): AsyncGenerator<FileKey> {
  for (const { fileKeys } of features) {
    if (!fileKeys) continue;
    const { rows } = await client.query<{ key: string }>(fileKeys.text, fileKeys.values);
    for (const { key } of rows) yield fileKey(key);
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

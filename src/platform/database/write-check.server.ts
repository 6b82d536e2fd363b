import { database } from './database.server.ts';
import { sql } from './sql.server.ts';

/** However many callers ask, the database is written to at most once per second. */
const CACHE_MS = 1_000;
const TIMEOUT_MS = 5_000;

let latest: { at: number; result: Promise<boolean> } | undefined;

async function tryWrite(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, false);
  });
  const written = database()
    .run(
      sql`insert into instance_values (key, value) values ('last-write', app_now()::text)
          on conflict (key) do update set value = excluded.value`,
    )
    .then(
      () => true,
      () => false,
    );
  return Promise.race([written, timeout]).finally(() => clearTimeout(timer));
}

export function acceptsWrites(): Promise<boolean> {
  const now = performance.now();
  if (!latest || now - latest.at > CACHE_MS) latest = { at: now, result: tryWrite() };
  return latest.result;
}

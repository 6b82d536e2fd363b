import { eventually, type TestServer } from './server.ts';

/** Waits until `count` statements wait for a lock, of those that contain `part`. */
export const untilWaiting = ({ database }: TestServer, count: number, part = '') =>
  eventually(async () => {
    const { rows } = await database.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
      [part],
    );
    return rows[0]?.waiting === count;
  });

/**
 * Runs requests' statements in a chosen order: locks a person's row, sends the next request once the last one waits for
 * a lock, then releases the row. @returns the responses.
 */
export async function inTurn<T>(
  server: TestServer,
  userId: string,
  requests: Array<() => Promise<T>>,
): Promise<T[]> {
  const holder = await server.database.connect();
  const answers: Array<Promise<T>> = [];
  try {
    await holder.query('begin');
    await holder.query('select 1 from users where id = $1 for update', [userId]);
    for (const request of requests) {
      answers.push(request());
      await untilWaiting(server, answers.length);
    }
  } finally {
    await holder.query('commit');
    holder.release();
  }
  return Promise.all(answers);
}

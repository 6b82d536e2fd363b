import { eventually, type TestServer } from './server.ts';

/**
 * Runs statements of requests in a chosen order: holds a person's row, sends one request after the other as each waits
 * for a lock, then lets go. @returns what they answered.
 */
export async function inTurn<T>(
  { database }: TestServer,
  userId: string,
  requests: Array<() => Promise<T>>,
): Promise<T[]> {
  const holder = await database.connect();
  const answers: Array<Promise<T>> = [];
  try {
    await holder.query('begin');
    await holder.query('select 1 from users where id = $1 for update', [userId]);
    for (const request of requests) {
      answers.push(request());
      await eventually(async () => {
        const { rows } = await holder.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.waiting === answers.length;
      });
    }
  } finally {
    await holder.query('commit');
    holder.release();
  }
  return Promise.all(answers);
}

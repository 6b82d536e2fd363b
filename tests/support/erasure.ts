import { eventually, type TestServer } from './server.ts';

/** Runs the job that erases deleted accounts as its hour would, and waits for its end. */
export async function runErasure({ database }: TestServer): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `insert into jobs.job (name) values ('erase-people') returning id`,
  );
  await eventually(async () => {
    const found = await database.query(`select 1 from jobs.job where id = $1 and state = 'completed'`, [
      rows[0]?.id,
    ]);
    return found.rowCount === 1;
  }, 20_000);
}

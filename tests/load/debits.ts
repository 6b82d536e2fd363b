import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { round } from './process.ts';

/** Admissions per second (checks, debit, run and hold in one statement), 50 at a time across 500 people. */
export async function debitsPerSecond(databaseUrl: string, seconds = 4) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  // If the measurement fails, PostgreSQL is stopped while connections are open; the original error must be reported.
  pool.on('error', () => undefined);
  const people = Array.from({ length: 500 }, () => randomUUID());
  await pool.query(
    `insert into users (id, email, name, credits) select id, id || '@load.example', 'Load', 100000 from unnest($1::uuid[]) as t(id)`,
    [people],
  );
  await pool.query(
    `insert into credit_ledger (user_id, delta, kind, source, external_id) select id, 100000, 'grant', 'load', id::text from unnest($1::uuid[]) as t(id)`,
    [people],
  );
  const hash = randomBytes(32);
  let done = 0;
  const endAt = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, async (_, lane) => {
      for (let i = lane; performance.now() < endAt; i += 50) {
        const { rows } = await pool.query({
          name: 'admit',
          text: `select verdict from admit_generation($1, $2, 'chat', 1, 1, $3, $4, '{}', true, false, false, 3, 2, null, 20, 60, 'load', null, null)`,
          values: [randomUUID(), people[i % people.length], randomUUID(), hash],
        });
        if (rows[0]?.verdict === 'admitted') done++;
      }
    }),
  );
  const rate = (done * 1000) / (performance.now() - startedAt);
  // One by one: the server closes them too, because no process holds their lease, and each would wait for the other.
  const { rows: open } = await pool.query(`select id, epoch from generations where owner = 'load'`);
  const close = (run: { id: string; epoch: number }) =>
    pool.query({
      name: 'close',
      text: `select close_generation($1, $2, 'failed', 0, '', null, null, null, null, false)`,
      values: [run.id, run.epoch],
    });
  await Promise.all(open.map(close));
  await pool.end();
  return { 'debits a second': round(rate, 0), admitted: done };
}

import type { Attachment } from '#features/chat/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

export interface UploadResponse {
  status: number;
  body: Attachment & { error: string; code: string };
  retryAfter: string | null;
}

/** Uploads bytes as a person's file. */
export async function upload(
  server: Pick<TestServer, 'url'>,
  person: Pick<Person, 'cookie'>,
  bytes: Uint8Array | string,
  { name = 'file', type = 'application/octet-stream' } = {},
): Promise<UploadResponse> {
  const response = await fetch(`${server.url}/api/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: server.url, 'content-type': type },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  const body = (await response.json()) as UploadResponse['body'];
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
}

/** pg-boss listens on this channel for queue names; without it a job waits for the next poll, every 2 s. */
const wakeQueue = `select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), $1)`;

/** Runs a scheduled job now, and waits until it has completed. */
export async function runJob(
  { database }: Pick<TestServer, 'database'>,
  name: string,
  ms?: number,
): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    'insert into jobs.job (name) values ($1) returning id',
    [name],
  );
  await database.query(wakeQueue, [name]);
  await eventually(async () => {
    const found = await database.query(`select 1 from jobs.job where id = $1 and state = 'completed'`, [
      rows[0]?.id,
    ]);
    return found.rowCount === 1;
  }, ms);
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { byWayOf, databaseTarget } from '#tests/support/proxy.ts';
import { contentOf } from './load-database.server.ts';
import { openSession } from './snapshot.server.ts';

/** The CopyDone message of PostgreSQL's protocol: all rows of a COPY were sent. */
const COPY_DONE = Buffer.from('c\x00\x00\x00\x04', 'latin1');

/** A proxy that holds back what the database sends after the rows of a COPY, until it is released. */
async function holdingCounts(databaseUrl: string) {
  const held: Buffer[] = [];
  const sockets: Socket[] = [];
  let release = () => {};
  const server = createServer((near) => {
    const far = connect(databaseTarget(databaseUrl));
    sockets.push(near, far);
    near.pipe(far);
    far.on('data', (bytes: Buffer) => {
      const end = held.length > 0 ? 0 : bytes.indexOf(COPY_DONE) + COPY_DONE.length;
      if (end === COPY_DONE.length - 1) return near.write(bytes);
      near.write(bytes.subarray(0, end));
      return held.push(bytes.subarray(end));
    });
    release = () => {
      far.removeAllListeners('data');
      near.write(Buffer.concat(held));
      far.pipe(near);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: byWayOf(databaseUrl, (server.address() as AddressInfo).port),
    release: () => release(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("rows are counted, though PostgreSQL's own count comes after them", async () => {
  const proxy = await holdingCounts(await makeDatabase(inject('postgres')));
  const client = await openSession({ connectionString: proxy.url }, 'test');
  await client.query('create temporary table lines (text text)');
  const values = ['one', 'two\nlines\\', '', null];
  await client.query('insert into lines select unnest($1::text[])', [values]);
  const content = contentOf(client, { schema: 'database', table: 'lines', columns: ['text'] });
  expect(await content).toMatchObject({ rows: 4, bytes: 4 + 13 + 1 + 3 });
  proxy.release();
  await client.end();
  proxy.close();
});

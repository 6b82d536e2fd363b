import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { databaseTarget, throughProxy } from '#tests/support/proxy.ts';
import { contentOf } from './load-database.server.ts';
import { openSession } from './snapshot.server.ts';

/** The CopyDone message of PostgreSQL's protocol: all rows of a COPY were sent. */
const COPY_DONE = Buffer.from('c\x00\x00\x00\x04', 'latin1');

/** A proxy that holds back what the database sends after the rows of a COPY, until it is released. */
async function delayCounts(databaseUrl: string) {
  const delayed: Buffer[] = [];
  const sockets: Socket[] = [];
  let release = () => {};
  const server = createServer((downstream) => {
    const upstream = connect(databaseTarget(databaseUrl));
    sockets.push(downstream, upstream);
    downstream.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      const end = delayed.length > 0 ? 0 : bytes.indexOf(COPY_DONE) + COPY_DONE.length;
      if (end === COPY_DONE.length - 1) return downstream.write(bytes);
      downstream.write(bytes.subarray(0, end));
      return delayed.push(bytes.subarray(end));
    });
    release = () => {
      upstream.removeAllListeners('data');
      downstream.write(Buffer.concat(delayed));
      upstream.pipe(downstream);
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: throughProxy(databaseUrl, (server.address() as AddressInfo).port),
    release: () => release(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("counts rows even if PostgreSQL's own count arrives after them", async () => {
  const proxy = await delayCounts(await makeDatabase(inject('postgres')));
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

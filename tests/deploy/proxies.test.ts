import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Config, setConfig } from '#platform/config/config.server.ts';
import { readEvents, stream, textOf, uniqueWord } from '../support/chat.ts';
import { drawPdf, sentence } from '../support/documents.ts';
import { upload } from '../support/files.ts';
import { release } from '../support/gateway.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { AUTH_SECRET, startTestServer, type TestServer } from '../support/server.ts';
import { type FrontProxy, freePort, proxies } from './proxies.ts';

const MEGABYTE = 2 ** 20;

/** Makes a page with an incompressible attachment of `bytes` bytes. */
const pdfOf = (bytes: number) =>
  drawPdf((document) =>
    document.addPage().text(sentence(1)).file(randomBytes(bytes), { name: 'attachment' }),
  );

describe.each(proxies)('behind $name, with the shipped configuration', ({ name, missing, start }) => {
  let server: TestServer;
  let proxy: FrontProxy;
  let person: Person;
  beforeAll(async () => {
    if (missing) return;
    const [port, processPort] = [await freePort(), await freePort()];
    server = await startTestServer({
      postgres: inject('postgres'),
      env: {
        PORT: String(processPort),
        PUBLIC_URL: `https://localhost:${port}`,
        TRUSTED_PROXIES: '127.0.0.1',
        // Nothing listens there: only trace ids are checked.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      },
    });
    proxy = await start({ port, processes: [processPort] });
    setConfig({ authSecret: AUTH_SECRET, secure: true } as Config);
    const created = await createPerson(server);
    person = { ...created, ...client(proxy, created.cookie) };
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
  });
  const suffix = missing ? ` (${name} or openssl is not installed)` : '';

  it.skipIf(missing)(
    `a file of 10 MB passes, a larger one is refused by the site itself${suffix}`,
    async () => {
      const accepted = await upload(proxy, person, await pdfOf(10 * MEGABYTE - 100_000), { name: 'a.pdf' });
      expect([accepted.status, accepted.body.error]).toEqual([201, undefined]);
      const larger = await upload(proxy, person, await pdfOf(11 * MEGABYTE), { name: 'b.pdf' });
      expect([larger.status, larger.body.code]).toEqual([413, 'too_large']);
    },
  );

  it.skipIf(missing)(`a reply arrives while it is written${suffix}`, async () => {
    const word = uniqueWord();
    const response = await stream(
      person,
      `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:10]] [[tokens:20]] [[tps:0]]`,
    );
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    let released = false;
    // The gateway sends the second half only after the first was read here.
    const events = await readEvents(response, (seen) => {
      if (!released && textOf(seen).includes('w0010')) {
        released = true;
        void release(server, word);
      }
      return false;
    });
    expect(released).toBe(true);
    expect(textOf(events)).toContain('w0020');
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
  });

  it.skipIf(missing)(`a visitor cannot choose a trace id${suffix}`, async () => {
    const id = randomBytes(16).toString('hex');
    const answer = await person.get('/api/me', { traceparent: `00-${id}-b7ad6b7169203331-01` });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('x-request-id')).not.toBe(id);
  });

  it.skipIf(missing)(`limits count for the visitor's own address, whatever they claim${suffix}`, async () => {
    await server.database.query('delete from rate_limits');
    const body = JSON.stringify({ email: 'somebody@example.com' });
    const status = await new Promise((done, fail) => {
      const call = request(
        `${proxy.url}/api/sign-in/email`,
        {
          method: 'POST',
          // A loopback address other than the proxy's.
          localAddress: '127.0.0.2',
          host: '127.0.0.1',
          servername: 'localhost',
          headers: {
            host: new URL(proxy.url).host,
            origin: proxy.url,
            'content-type': 'application/json',
            'x-forwarded-for': '198.51.100.9',
          },
        },
        (response) => done(response.resume().statusCode),
      );
      call.on('error', fail).end(body);
    });
    const { rows } = await server.database.query<{ key: string }>('select key from rate_limits');
    const keys = rows.map(({ key }) => key).join(' ');
    expect([status, keys]).toEqual([expect.any(Number), expect.stringContaining('127.0.0.2')]);
    expect(keys).not.toContain('198.51.100.9');
  });
});

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { siteMapPaths } from '../support/crawl.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

const assets = resolve(import.meta.dirname, '../../build/client/assets');

let server: TestServer;
/** Cached pages: the same for every guest. */
const cachedPaths: string[] = [];

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers: { accept: 'text/html', ...headers }, redirect: 'manual' });

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  for (const path of await siteMapPaths(server)) {
    const response = await get(path);
    await response.arrayBuffer();
    if (response.headers.has('etag')) cachedPaths.push(path);
  }
});
afterAll(() => server.stop());

/** Returns head, content coding and undecoded bytes of a response. */
async function fetchEncoded(path: string, accept: string) {
  const request = rawRequest(server.url, `GET ${path}`, { 'accept-encoding': accept, accept: 'text/html' });
  const { head, body } = await sendRaw(server.url, request);
  return { head, coding: /^content-encoding: (.*)$/im.exec(head)?.[1], bytes: Buffer.from(body, 'latin1') };
}

describe('a cached page', () => {
  test('is sent in the requested encoding, with the same text in each', async () => {
    expect(cachedPaths).toEqual(
      expect.arrayContaining(['/', '/pricing', '/blog', '/blog/what-is-gpt-5', '/privacy']),
    );
    for (const path of cachedPaths) {
      const plain = await fetchEncoded(path, 'identity');
      const zipped = await fetchEncoded(path, 'gzip, deflate');
      const brotli = await fetchEncoded(path, 'gzip, deflate, br, zstd');
      expect([plain.coding, zipped.coding, brotli.coding], path).toEqual([undefined, 'gzip', 'br']);
      expect(gunzipSync(zipped.bytes).equals(plain.bytes), path).toBe(true);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes), path).toBe(true);
      expect(brotli.bytes.length, path).toBeLessThan(zipped.bytes.length);
      for (const { head, bytes } of [plain, zipped, brotli]) {
        expect(head, path).toMatch(/^vary: accept-encoding, accept-language, cookie$/im);
        expect(head, path).toMatch(new RegExp(`^content-length: ${bytes.length}$`, 'im'));
      }
    }
  });

  test('is compressed as far as possible after a second request', async () => {
    const { bytes } = await fetchEncoded('/pricing', 'identity');
    const smallest = brotliCompressSync(bytes).length;
    await eventually(async () => (await fetchEncoded('/pricing', 'br')).bytes.length < 1.02 * smallest);
  });

  test('is revalidated by its etag, in any form that a proxy may send', async () => {
    for (const path of cachedPaths) {
      const first = await get(path);
      await first.arrayBuffer();
      const etag = first.headers.get('etag') ?? '';
      expect(etag, path).toMatch(/^W\/"[\w-]{22}"$/);
      expect(first.headers.get('cache-control'), path).toBe('private, no-cache');
      for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
        const again = await get(`${path}?utm_source=x`, { 'if-none-match': known });
        expect([again.status, await again.text()], `${path} ${known}`).toEqual([304, '']);
        expect(again.headers.get('content-security-policy'), path).toContain("default-src 'none'");
      }
      const changed = await get(path, { 'if-none-match': 'W/"other"' });
      expect([changed.status, (await changed.text()).length > 1000], path).toEqual([200, true]);
    }
  });

  test('answers HEAD like GET', async () => {
    for (const path of cachedPaths) {
      const [head, full] = [await get(path, {}, 'HEAD'), await get(path)];
      await full.arrayBuffer();
      for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'content-encoding'])
        expect(head.headers.get(name), `${name} of ${path}`).toBe(full.headers.get(name));
      expect([head.status, await head.text()], path).toEqual([200, '']);
    }
  });

  test('X-A39: is the same whatever headers claim about visitor, host or path', async () => {
    const forged = {
      'x-user-id': '00000000-0000-4000-8000-000000000000',
      'x-lobe-chat-auth': 'x',
      'x-api-key': 'sk-test',
      'x-base-url': 'https://evil.test/v1',
      'x-middleware-subrequest': 'middleware:middleware',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-for': '203.0.113.9',
      'x-original-url': '/settings',
      'x-rewrite-url': '/settings',
      'x-http-method-override': 'DELETE',
      authorization: 'Bearer x',
      cookie: 'session=x; __Host-session=y; userId=1',
    };
    for (const path of cachedPaths) {
      const [honest, withForged] = [await get(path), await get(path, forged)];
      expect(withForged.status, path).toBe(200);
      expect(withForged.headers.get('etag'), path).toBe(honest.headers.get('etag'));
      expect(await withForged.text()).toBe(await honest.text());
    }
  });
});

describe('a file', () => {
  test('of the build is cached permanently, and is also sent as gzip', async () => {
    for (const name of readdirSync(assets).filter((each) => each.endsWith('.css'))) {
      const path = `/assets/${name}`;
      const [plain, zipped] = [await fetchEncoded(path, 'identity'), await fetchEncoded(path, 'gzip')];
      expect(plain.head, name).toMatch(/^cache-control: public, max-age=31536000, immutable$/im);
      if (zipped.coding) expect(gunzipSync(zipped.bytes).equals(plain.bytes), name).toBe(true);
      else expect(plain.bytes.length, name).toBeLessThan(1400);
    }
  });

  test('with a fixed name is revalidated after an hour, by its etag', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico', '/icon-192.png', '/apple-touch-icon.png']) {
      const first = await get(path);
      await first.arrayBuffer();
      expect(first.headers.get('cache-control'), path).toBe('public, max-age=3600');
      const etag = first.headers.get('etag') ?? '';
      expect((await get(path, { 'if-none-match': `W/${etag}` })).status, path).toBe(304);
    }
  });

  test('is sent completely on a range request, which is allowed (RFC 9110, 14.2)', async () => {
    for (const path of ['/icon-512.png', '/', '/blog/rss.xml']) {
      const [full, part] = [await get(path), await get(path, { range: 'bytes=0-9' })];
      expect([part.status, part.headers.get('content-range')], path).toEqual([200, null]);
      expect((await part.arrayBuffer()).byteLength, path).toBe((await full.arrayBuffer()).byteLength);
    }
  });
});

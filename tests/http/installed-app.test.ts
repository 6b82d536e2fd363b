import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { client, createPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  person = await createPerson(server);
});
afterAll(() => server.stop());

interface Manifest {
  lang: string;
  dir: string;
  start_url: string;
  scope: string;
  display: string;
  name: string;
  theme_color: string;
  shortcuts: Array<{ name: string; url: string }>;
  icons: Array<{ src: string; sizes: string; purpose: string }>;
}
const manifest = async (language: string): Promise<Manifest> =>
  (await fetch(`${server.url}/site.webmanifest?lang=${language}`)).json();

describe('the manifest', () => {
  test('is linked by each page in the page’s language', async () => {
    for (const [path, language] of [
      ['/', 'en'],
      ['/de', 'de'],
      ['/ar/pricing', 'ar'],
    ] as const) {
      const html = await (await fetch(server.url + path)).text();
      expect(html).toContain(`<link rel="manifest" href="/site.webmanifest?lang=${language}"`);
      expect(html.match(/<meta name="theme-color" content="#[0-9a-f]{6}" media=/g)).toHaveLength(2);
    }
    const [english, arabic] = [await manifest('en'), await manifest('ar')];
    expect([english.lang, english.dir, arabic.lang, arabic.dir]).toEqual(['en', 'ltr', 'ar', 'rtl']);
    expect(await manifest('xx')).toEqual(english);
    expect(english).toMatchObject({ start_url: '/chat', scope: '/', display: 'standalone' });
    expect(arabic.shortcuts.map(({ url }) => url)).toEqual(english.shortcuts.map(({ url }) => url));
    expect(arabic.shortcuts[0]?.name).not.toBe(english.shortcuts[0]?.name);
  });

  test('has icons of 192 and 512 pixels and a maskable one', async () => {
    const { icons } = await manifest('en');
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
    );
  });

  test('has shortcuts to the tools that are switched on', async () => {
    const paths = async () => (await manifest('en')).shortcuts.map(({ url }) => url);
    const all = await paths();
    expect(all).toEqual(expect.arrayContaining(['/chat/new', '/tools/writer', '/tools/pdf']));
    await changeSetting([server], ['set', 'tool.writer.on', 'false']);
    expect(await paths()).toEqual(all.filter((path) => path !== '/tools/writer'));
    for (const path of await paths()) expect((await person.get(path)).status, path).toBe(200);
    await changeSetting([server], ['unset', 'tool.writer.on']);
  });

  test('has the operator’s name, and the colors of the pages', async () => {
    await changeSetting([server], ['set', 'brand.name', 'Quill']);
    expect((await manifest('de')).name).toBe('Quill');
    await changeSetting([server], ['unset', 'brand.name']);
    const icon = await (await fetch(`${server.url}/icon-maskable-512.png`)).arrayBuffer();
    expect(await sharp(Buffer.from(icon)).metadata()).toMatchObject({ width: 512, hasAlpha: false });
  });
});

const workerOf = async (visitor: Pick<Person, 'get'>, language = 'en') =>
  visitor.get(`/service-worker.js?lang=${language}`);

interface Files {
  cache: string;
  page: string;
  files: string[];
}
const filesIn = (code: string): Files | null =>
  JSON.parse(/^self\.offlineFiles = (.*);$/m.exec(code)?.[1] ?? '');

describe('the service worker', () => {
  test('is revalidated each time, and may connect only to this site', async () => {
    const { headers, status } = await workerOf(client(server));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const again = await client(server).get('/service-worker.js', {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    const page = (await person.get('/chat')).headers.get('content-security-policy');
    expect(page).toContain("worker-src 'self'");
  });

  test('is the same for everybody with the same language, and caches hashed files and one page', async () => {
    const code = await (await workerOf(client(server))).text();
    expect(await (await workerOf(person)).text()).toBe(code);
    const cached = filesIn(code);
    expect(cached?.page).toBe('/offline?lang=en');
    expect(cached?.files.length).toBeGreaterThan(3);
    for (const path of cached?.files ?? []) {
      expect(path).toMatch(/^\/assets\/[\w./-]+-[\w-]{8,10}\.(js|css|woff2)$/);
      const file = await fetch(server.url + path);
      expect([file.status, file.headers.get('cache-control')], path).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    const german = filesIn(await (await workerOf(client(server), 'de')).text());
    expect(german?.page).toBe('/offline?lang=de');
    expect(german?.cache).not.toBe(cached?.cache);
  });

  test('caches a page without personal data, which is the same for everybody', async () => {
    const path = filesIn(await (await workerOf(person)).text())?.page ?? '';
    const page = await person.get(path);
    const html = await page.text();
    expect(html).toBe(await (await client(server).get(path)).text());
    expect(html).not.toContain(person.email);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^ ]+'$/);
    const arabic = await (await client(server).get('/offline?lang=ar')).text();
    expect(arabic).toMatch(/<html lang="ar" dir="rtl"/);
  });

  test('changes when the cached page changes', async () => {
    const before = filesIn(await (await workerOf(client(server))).text());
    await changeSetting([server], ['set', 'brand.name', 'Quill']);
    const after = filesIn(await (await workerOf(client(server))).text());
    await changeSetting([server], ['unset', 'brand.name']);
    expect(after?.cache).not.toBe(before?.cache);
    expect(filesIn(await (await workerOf(client(server))).text())).toEqual(before);
  });

  test('caches nothing once the operator has switched it off', async () => {
    await changeSetting([server], ['set', 'app.offline', 'false']);
    expect(filesIn(await (await workerOf(client(server))).text())).toBeNull();
    expect(await (await person.get('/chat')).text()).toContain('"app.offline":false');
    const browser = { endpoint: 'https://fcm.googleapis.com/1', keys: { p256dh: '', auth: '' } };
    const refused = await person.send('PUT', '/api/devices/notifications', browser);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'tool_off', error: 'Notifications are turned off on this site.' }),
    ]);
    await changeSetting([server], ['unset', 'app.offline']);
  });
});

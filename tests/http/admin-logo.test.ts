import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createOperator, type Operator, operatorEnv } from '../support/admin.ts';
import { expectConsistent } from '../support/consistency.ts';
import { elementsOf, visibleText } from '../support/html.ts';
import { client, createPerson } from '../support/people.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { settingsCommand } from '../support/settings.ts';
import { soak } from '../support/soak.ts';

// Images and commands are made in separate processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const logoPath = '/admin/settings/logo';

let server: TestServer;
let other: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: operatorEnv });
  other = await startSecondProcess(server, operatorEnv);
  operator = await createOperator(server);
});
afterAll(async () => {
  await other.stop();
  await expectConsistent(server);
  await server.stop();
});

function upload(file: Buffer | string, headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData();
  body.set('press', randomUUID());
  body.set(
    'picture',
    new File([new Uint8Array(Buffer.from(file))], '../../"><script>.svg', { type: 'image/svg+xml' }),
  );
  return fetch(server.url + logoPath, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: operator.cookie, origin: server.url, ...headers },
    body,
  });
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#c81e1eff' } });

const drawing = (content = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="40" onload="alert(1)"><script>alert(2)</script><rect width="200" height="40" fill="#0a0"/>${content}</svg>`;

const storedLogo = async () => {
  const { rows } = await server.database.query<{ after: unknown }>(
    `select after from setting_changes where name = 'brand.logo' order by change desc limit 1`,
  );
  return rows[0]?.after ?? null;
};

const logoOf = async (instance: TestServer, path = '/pricing') => {
  const html = await (await fetch(instance.url + path)).text();
  return elementsOf(html).find(({ attributes }) => /^\/brand\/logo-/.test(attributes.get('src') ?? ''));
};

/** Waits until both processes show the logo and returns its path. */
async function shownLogo(): Promise<string> {
  const { path } = (await storedLogo()) as { path: string };
  for (const instance of [server, other])
    await eventually(async () => (await logoOf(instance))?.attributes.get('src') === path);
  return path;
}

test('a drawing becomes an image on every process, without any other content of the file', async () => {
  const done = await upload(drawing());
  expect([done.status, done.headers.get('location')]).toEqual([303, expect.stringMatching(`^${logoPath}`)]);
  const path = await shownLogo();
  for (const instance of [server, other])
    for (const [file, size] of [
      [path, { width: 960, height: 192 }],
      [path.replace('logo-', 'icon-'), { width: 512, height: 512 }],
    ] as const) {
      const answer = await fetch(instance.url + file);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...size });
      expect(bytes.includes('alert')).toBe(false);
    }
  expect(visibleText(await operator.page('/admin/log'))).toMatch(/Saved as change \d+: Logo\./);
});

test.runIf(soak)(
  'it replaces the shipped logo: on pages, in the app, in icons, the manifest and social cards',
  async () => {
    const cardBefore = await (await fetch(`${server.url}/cards/home.png`)).arrayBuffer();
    expect((await upload(await picture(900, 200).webp().toBuffer())).status).toBe(303);
    const path = await shownLogo();
    const icon = path.replace('logo-', 'icon-');
    const wide = await logoOf(server);
    expect(wide?.attributes.get('alt')).toBe('GPT5AI');
    const chat = await (await (await createPerson(server)).get('/chat')).text();
    expect(chat).toContain(`src="${path}"`);
    expect(chat).toContain('"brand.logo"');
    const manifest = (await (await fetch(`${server.url}/site.webmanifest`)).json()) as { icons: object[] };
    const masked = icon.replace('icon-', 'maskable-');
    expect(manifest.icons).toEqual([
      { src: icon, sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: masked, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ]);
    // Systems cut any shape out of a maskable icon, so it has a background and a margin.
    const bytes = Buffer.from(await (await fetch(server.url + masked)).arrayBuffer());
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([512, 512, 3]);
    expect(data.subarray(0, 3).toString('hex')).toBe('fbfaf7');
    expect((await fetch(`${server.url}/brand/maskable-${'x'.repeat(22)}.png`)).status).toBe(404);
    // Pages refer to the default icons.
    for (const shipped of ['/favicon.svg', '/favicon.ico', '/icon-512.png', '/apple-touch-icon.png']) {
      const answer = await fetch(server.url + shipped, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')], shipped).toEqual([302, icon]);
    }
    const card = await (await fetch(`${server.url}/cards/home.png`)).arrayBuffer();
    expect(Buffer.from(card).equals(Buffer.from(cardBefore))).toBe(false);
    // A logo that is about square leaves the name next to it.
    expect((await upload(await picture(64, 64).png().toBuffer())).status).toBe(303);
    await shownLogo();
    expect((await logoOf(server))?.attributes.get('alt')).toBe('');
  },
);

test.runIf(soak)(
  'one press removes it, an undo restores it, and the settings command refuses a file path for it',
  async () => {
    expect((await upload(await picture(70, 70).png().toBuffer())).status).toBe(303);
    const path = await shownLogo();
    expect((await operator.submit(`${logoPath}/removed`)).status).toBe(303);
    for (const instance of [server, other])
      await eventually(async () => (await logoOf(instance)) === undefined);
    expect((await fetch(`${server.url}/favicon.svg`, { redirect: 'manual' })).status).toBe(200);
    // A page that is still open loads it.
    expect((await fetch(server.url + path)).status).toBe(200);
    const history = await operator.page('/admin/settings/history?setting=brand.logo');
    expect(visibleText(history)).toContain('Logo: image of 70 × 70 pixels → default');
    const [, undo = ''] = /action="(\/admin\/settings\/history\/\d+\/undo)"/.exec(history) ?? [];
    expect((await operator.submit(undo)).status).toBe(303);
    expect(await shownLogo()).toBe(path);
    const typed = await settingsCommand(server, ['set', 'brand.logo', '/brand/x.png']);
    expect([typed.code, typed.output]).toEqual([
      1,
      expect.stringContaining('upload it at /admin/settings/logo'),
    ]);
    expect((await settingsCommand(server, ['unset', 'brand.logo'])).code).toBe(0);
    for (const instance of [server, other])
      await eventually(async () => (await logoOf(instance)) === undefined);
  },
);

describe('is refused with a message, and changes nothing', () => {
  const huge = '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>';
  const entities = `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(50)}">${Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY ${'abcdefghijklm'[at + 1]} "${`&${'abcdefghijklm'[at]};`.repeat(10)}">`,
  ).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&m;</text></svg>`;

  test.each<[string, () => Promise<Buffer> | string, RegExp]>([
    ['nothing', () => '', /The image is empty\./],
    [
      'a page',
      () => '<html><script>alert(1)</script></html>',
      /cannot be read as a PNG, SVG or WebP picture/,
    ],
    ['a drawing of 8,100 million pixels', () => huge, /has too many pixels/],
    ['entities that unfold', () => entities, /cannot be read/],
    ['a JPEG', () => picture(9, 9).jpeg().toBuffer(), /cannot be read/],
    ['a GIF', () => picture(9, 9).gif().toBuffer(), /cannot be read/],
    ['half of a PNG', async () => (await noise()).subarray(0, 5_000), /cannot be read/],
    ['more than 2 MB', () => `<svg>${'x'.repeat(2 * 1024 * 1024)}</svg>`, /is larger than 2 MB/],
  ])('%s', async (_, source, expected) => {
    const before = await storedLogo();
    const answer = await upload(await source());
    expect([answer.status, visibleText(await answer.text())]).toEqual([400, expect.stringMatching(expected)]);
    expect(await storedLogo()).toEqual(before);
  });

  const noise = () =>
    sharp({
      create: {
        width: 100,
        height: 100,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();

  test('a file that a drawing refers to is not read', async () => {
    const reference =
      '<image xlink:href="file:///etc/hostname" width="40" height="40"/><image href="/etc/passwd" width="40" height="40"/>';
    expect((await upload(drawing(reference))).status).toBe(303);
    const bytes = Buffer.from(await (await fetch(server.url + (await shownLogo()))).arrayBuffer());
    // The whole image has one color: nothing was loaded into it.
    expect((await sharp(bytes).stats()).channels.slice(0, 3).map(({ stdev }) => stdev)).toEqual([0, 0, 0]);
  });

  test('a form from another site, an old session, or a person who is no operator changes nothing', async () => {
    const before = await storedLogo();
    const file = await picture(12, 12).png().toBuffer();
    expect((await upload(file, { origin: 'https://evil.test' })).status).toBe(403);
    await operator.ageSession(16);
    expect((await upload(file)).status).toBe(403);
    await operator.ageSession(0);
    const nonOperator = await createPerson(server);
    expect((await upload(file, { cookie: nonOperator.cookie })).status).toBe(405);
    expect(await storedLogo()).toEqual(before);
  });

  test.each(['/brand/logo-AAAAAAAAAAAAAAAAAAAAAA.png', '/brand/logo-x.png', '/brand/..%2f..%2fetc%2fpasswd'])(
    '%s does not exist',
    async (path) => {
      expect((await client(server).get(path)).status).toBe(404);
    },
  );
});

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { client } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const folder = resolve(import.meta.dirname, '../../content/screens');

let server: TestServer;
let html: string;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  html = await (await client(server).get('/', { accept: 'text/html' })).text();
});
afterAll(() => server.stop());

interface Source {
  path: string;
  type: string;
  media: string;
  width: number;
  height: number;
  density: number;
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&lt;', '<') ?? '';

function sources(): Source[] {
  return [...html.matchAll(/<source [^>]*>/g)].map(([tag]) => {
    const [path = '', density = '1x'] = attribute(tag, 'srcset').split(' ');
    return {
      path,
      type: attribute(tag, 'type'),
      media: attribute(tag, 'media'),
      width: Number(attribute(tag, 'width')),
      height: Number(attribute(tag, 'height')),
      density: Number.parseInt(density, 10),
    };
  });
}

test('every picture of the product is there in both themes, for wide windows and phones', async () => {
  const all = sources();
  const names = ['chat', 'pdf', 'writer', 'script'];
  expect(html.match(/<picture/g)).toHaveLength(names.length);
  const shown = all.map(({ path }) =>
    /\/([a-z]+-(?:wide|phone)-(?:light|dark))-[\w-]+\.(avif|webp)$/.exec(path),
  );
  const wanted = names.flatMap((name) =>
    ['wide', 'phone'].flatMap((frame) =>
      ['light', 'dark'].flatMap((theme) =>
        ['avif', 'webp'].map((ending) => `${name}-${frame}-${theme}.${ending}`),
      ),
    ),
  );
  expect(shown.map((match) => `${match?.[1]}.${match?.[2]}`).sort()).toEqual(wanted.sort());
  // What is committed is what is shown: nothing is missing, nothing left over.
  expect(
    readdirSync(folder)
      .filter((name) => !name.endsWith('.json'))
      .sort(),
  ).toEqual(wanted);
  const sizes = wanted.map((name) => statSync(join(folder, name)).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(60 * 1024);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(900 * 1024);
});

test('pictures come as what they say they are, in the size that is kept free for them, to be kept for ever', async () => {
  for (const { path, type, width, height, density } of sources()) {
    const response = await client(server).get(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, type]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const found = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    // A half pixel at twice the size is rounded away.
    expect(Math.abs((found.width ?? 0) - width * density), path).toBeLessThanOrEqual(1);
    expect(Math.abs((found.height ?? 0) - height * density), path).toBeLessThanOrEqual(1);
  }
});

test('only the first picture is asked for at once; every one says what is to be seen', () => {
  const pictures = [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
  expect(pictures.map((tag) => attribute(tag, 'loading'))).toEqual(['eager', 'lazy', 'lazy', 'lazy']);
  expect(pictures.map((tag) => attribute(tag, 'fetchpriority'))).toEqual(['high', '', '', '']);
  for (const tag of pictures) {
    expect(attribute(tag, 'alt').length).toBeGreaterThan(60);
    expect(attribute(tag, 'width')).toMatch(/^\d+$/);
  }
});

test('one font is preloaded and exists; the links of the tools lead to them', async () => {
  const fonts = [...html.matchAll(/<link rel="preload"[^>]*as="font"[^>]*>/g)].map(([tag]) =>
    attribute(tag, 'href'),
  );
  expect(fonts).toHaveLength(1);
  const font = await client(server).get(fonts[0] ?? '');
  expect(font.headers.get('content-type')).toBe('font/woff2');
  expect((await font.arrayBuffer()).byteLength).toBeLessThan(50_000);
  for (const path of [
    '/chat/new?assistant=writer',
    '/tools/pdf',
    '/tools/writer',
    '/tools/script',
    '/tools/prompts',
  ]) {
    expect(html).toContain(`href="${path}"`);
    expect((await client(server).get(path, { accept: 'text/html' })).status, path).toBe(200);
  }
  expect(existsSync(join(folder, 'sizes.json'))).toBe(true);
});

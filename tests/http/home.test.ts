import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { client } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

const folder = resolve(import.meta.dirname, '../../content/samples');

let server: TestServer;
let html: string;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  html = await (await client(server).get('/', { accept: 'text/html' })).text();
});
afterAll(() => server.stop());

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '';
const images = () => [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);

test('every sample image exists, is small and lazy, has its reserved size, and an alt text', async () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.webp'))
    .sort();
  const shown = images().map((tag) => /\/([a-z0-9]+)-[\w-]+\.webp$/.exec(attribute(tag, 'src'))?.[1]);
  expect([...new Set(shown)].sort()).toEqual(files.map((name) => name.replace('.webp', '')));
  const sizes = files.map((name) => statSync(join(folder, name)).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40 * 1024);
  for (const tag of images()) {
    expect(attribute(tag, 'loading')).toBe('lazy');
    expect(attribute(tag, 'alt').length).toBeGreaterThan(20);
    const path = attribute(tag, 'src');
    const response = await client(server).get(path);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/webp']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([width, height].map(String)).toEqual([attribute(tag, 'width'), attribute(tag, 'height')]);
  }
});

test('content made for the page is labeled as a sample, and sample numbers are separate', () => {
  expect(html.match(/>Sample</g)?.length).toBeGreaterThanOrEqual(7);
  expect(html).toContain('Samples, drawn for this page.');
  expect(html).toMatch(/aria-label="Sample numbers">.*Sample numbers, not ours\./s);
});

test('one font is preloaded and exists, and links to the tools work', async () => {
  const fonts = [...html.matchAll(/<link rel="preload"[^>]*as="font"[^>]*>/g)].map(([tag]) =>
    attribute(tag, 'href'),
  );
  expect(fonts).toHaveLength(1);
  const font = await client(server).get(fonts[0] ?? '');
  expect(font.headers.get('content-type')).toBe('font/woff2');
  expect((await font.arrayBuffer()).byteLength).toBeLessThan(50_000);
  for (const path of ['/chat/new?assistant=writer', '/tools/pdf', '/tools/prompts']) {
    expect(html).toContain(`href="${path}"`);
    expect((await client(server).get(path, { accept: 'text/html' })).status, path).toBe(200);
  }
});

test('a tool shows the text from its URL; the prompt library searches for it', async () => {
  const get = (path: string) => client(server).get(`${path}?text=a+heron%22%3E`, { accept: 'text/html' });
  for (const path of ['/tools/writer', '/tools/script', '/tools/image'])
    expect(await (await get(path)).text(), path).toMatch(/<textarea[^>]*>a heron&quot;&gt;<\/textarea>/);
  const search = await get('/tools/prompts');
  expect([search.status, search.headers.get('location')]).toEqual([302, '/tools/prompts?q=a+heron%22%3E']);
});

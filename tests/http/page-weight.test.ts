import http from 'node:http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeChat } from '../support/long-chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  person = await createPerson(server);
});
afterAll(() => server.stop());

/** Loads a file of the build; returns its text and its Brotli size in bytes. */
async function load(path: string): Promise<{ code: string; bytes: number }> {
  const code = await (await client(server).get(path)).text();
  const bytes = await new Promise<number>((resolve, reject) => {
    const request = http.get(server.url + path, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let sum = 0;
      response.on('data', (part: Buffer) => {
        sum += part.length;
      });
      response.on('end', () => resolve(sum));
    });
    request.on('error', reject);
  });
  return { code, bytes };
}

/** Measures the first load of a page: its scripts, their imports, and its stylesheets. */
async function firstLoad(path: string, visitor: Pick<Person, 'get'>) {
  const html = await (await visitor.get(path, { accept: 'text/html' })).text();
  const assetPaths = (pattern: RegExp) => new Set([...html.matchAll(pattern)].map(([found]) => found));
  const scripts = assetPaths(/\/assets\/[\w./-]+\.js(?=")/g);
  const sheets = assetPaths(/\/assets\/[\w./-]+\.css(?=")/g);
  const unlisted: string[] = [];
  let bytes = 0;
  for (const script of scripts) {
    const { code, bytes: size } = await load(script);
    bytes += size;
    for (const [, target = ''] of code.matchAll(/(?:from|import)\s?["'](\.{1,2}\/[\w./-]+\.js)["']/g)) {
      const found = new URL(target, server.url + script).pathname;
      if (!scripts.has(found)) unlisted.push(`${found}, of ${script}`);
    }
  }
  return { kilobytes: bytes / 1024, scripts: scripts.size, sheets: sheets.size, unlisted };
}

/** Limits for signed-in people: kilobytes of Brotli-compressed scripts, and their number. */
const pages: [path: string, kilobytes: number, scripts: number][] = [
  ['/chat/new', 125, 9],
  ['/tools/writer', 122, 15],
  ['/tools/script', 127, 15],
  ['/tools/image', 117, 13],
  ['/tools/pdf', 119, 13],
  ['/tools/prompts', 110, 12],
  ['/dashboard', 113, 11],
  ['/library', 107, 11],
  ['/settings', 108, 11],
];

test.each(pages)('%s needs at most %i KB in %i scripts, all named in the page', async (path, most, files) => {
  const { kilobytes, scripts, sheets, unlisted } = await firstLoad(path, person);
  expect(unlisted).toEqual([]);
  expect(kilobytes).toBeLessThan(most);
  expect(scripts).toBeLessThanOrEqual(files);
  expect(sheets).toBeLessThanOrEqual(4);
});

test('a chat with messages also names the scripts that render them', async () => {
  const { id } = await writeChat(server, person, 2);
  const { kilobytes, scripts, unlisted } = await firstLoad(`/chat/${id}`, person);
  expect(unlisted).toEqual([]);
  expect(kilobytes).toBeLessThan(135);
  expect(scripts).toBeLessThanOrEqual(11);
});

test.each(['/', '/pricing', '/blog', '/about'])('%s has one small script', async (path) => {
  const { kilobytes, scripts, sheets, unlisted } = await firstLoad(path, client(server));
  expect(unlisted).toEqual([]);
  expect(kilobytes).toBeLessThan(7);
  expect(scripts).toBe(1);
  expect(sheets).toBeLessThanOrEqual(3);
});

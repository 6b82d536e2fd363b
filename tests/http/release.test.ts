import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const own = resolve(import.meta.dirname, '../..');
let project: string;
let server: TestServer;
const build = (...parts: string[]) => join(project, 'build', ...parts);

function switchTo(release: string): void {
  symlinkSync(join('releases', release), build('next'));
  renameSync(build('next'), build('current'));
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'site-project-'));
  for (const name of ['package.json', 'migrations', 'node_modules', 'standins', 'content'])
    symlinkSync(join(own, name), join(project, name));
  cpSync(realpathSync(join(own, 'build/current')), build('releases/running'), { recursive: true });
  mkdirSync(build('releases/older/client/assets'), { recursive: true });
  writeFileSync(build('releases/older/client/assets/page-of-before.js'), 'export default 1;');
  writeFileSync(build('releases/older/client/secret.txt'), 'not an asset');
  for (const part of ['client', 'server']) symlinkSync(join('current', part), build(part));
  switchTo('running');
  server = await startTestServer({ postgres: inject('postgres'), build: build('server') });
});
afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

it.runIf(soak)('still creates its cards, pages and files once the next build is there', async () => {
  mkdirSync(build('releases/next/server'), { recursive: true });
  mkdirSync(build('releases/next/client'), { recursive: true });
  switchTo('next');
  for (const path of ['/cards/tools.png', '/blog', '/sign-in', '/chat/new'])
    expect((await fetch(server.url + path)).status, path).toBe(200);
  expect(readdirSync(build('releases/running/in-use'))).toContain(String(server.process.pid));
});

it('serves the previous build’s assets for pages that are still open, and nothing else of it', async () => {
  const asset = await fetch(`${server.url}/assets/page-of-before.js`);
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect((await fetch(`${server.url}/secret.txt`)).status).toBe(404);
});

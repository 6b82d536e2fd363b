import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { settled, violationsOf } from '../support/axe.ts';
import { hostilePages } from '../support/hostile-previews.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import type { TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Preview' });
const frame = (page: Page) => page.frameLocator('iframe');
const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** Opens a chat with one reply per text. */
async function openReplies(page: Page, server: TestServer, person: { id: string }, texts: string[]) {
  const { id } = await writeChat(server, person, texts.length * 2, (at) =>
    at % 2 === 1 ? texts[(at - 1) / 2]! : 'Show me.',
  );
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await expect(page.getByRole('button', { name: 'Preview' }).last()).toBeVisible();
}

/** Starts a foreign server that records every connection and datagram. */
async function listen() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push('connected');
    socket.on('error', () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket('udp4').on('message', () => seen.push('datagram'));
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    datagrams.close();
  };
  return { seen, address: `127.0.0.1:${port}`, close };
}

/** Messages of a browser that blocks code. */
const refusals = /Content Security Policy|Unsafe attempt to load URL|Blocked form submission/;

test('a press on a reply is not lost while its script is still loading @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2, (at) =>
    at % 2 === 1 ? fenced('html', '<p>Seen</p>') : 'Show me.',
  );
  let releaseScript = () => {};
  const released = new Promise<void>((resolve) => {
    releaseScript = resolve;
  });
  await page.route('**/markdown-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/chat/${id}`, { waitUntil: 'commit' });
  const coming = page.waitForRequest('**/markdown-*.js');
  await page.getByRole('button', { name: 'Preview' }).click();
  await coming;
  releaseScript();
  await expect(frame(page).getByText('Seen')).toBeVisible();
});

test('hostile code reaches nobody, runs nothing and leaves the page in place', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const outside = await listen();
  const pages = hostilePages(outside.address, server.url);
  const ran: string[] = [];
  await page.exposeFunction('ran', (what: string) => void ran.push(what));
  page.on('dialog', (box) => void box.dismiss().then(() => ran.push('dialog')));
  page.on('popup', () => ran.push('popup'));
  page.on('download', () => ran.push('download'));
  page.on('worker', () => ran.push('worker'));
  const answered: string[] = [];
  page.on('response', (response) => {
    if (response.frame().parentFrame() && !response.url().startsWith('data:')) answered.push(response.url());
  });
  const names = Object.keys(pages).filter((_, at) => soak || at % 4 === 0);
  const { length } = context.pages();
  // A page is sent with 40 messages.
  for (let from = 0; from < names.length; from += 20) {
    const group = names.slice(from, from + 20);
    await openReplies(
      page,
      server,
      person,
      group.map((name) => fenced('html', `<p id="shown">${name} is shown</p>\n${pages[name]}`)),
    );
    await page.evaluate(() =>
      addEventListener('message', () => document.body.setAttribute('data-heard', '')),
    );
    const address = page.url();
    for (const [at, name] of group.entries()) {
      await page.getByRole('button', { name: 'Preview' }).nth(at).click();
      await expect(frame(page).getByText(`${name} is shown`), name).toBeVisible();
      const button = frame(page).locator('#press');
      if ((await button.count()) > 0) await button.first().click({ force: true });
      await expect(frame(page).getByText(`${name} is shown`), name).toBeVisible();
      await expect(frame(page).locator('[data-ran]'), name).toHaveCount(0);
      await settled(page);
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await expect(dialog(page)).toHaveCount(0);
    }
    expect(page.url()).toBe(address);
    await expect(page.locator('body')).not.toHaveAttribute('data-heard');
  }
  expect(context.pages()).toHaveLength(length);
  expect(ran).toEqual([]);
  expect([...new Set(answered)]).toEqual([`${server.url}/preview-frame`]);
  expect(outside.seen).toEqual([]);
  // Proves that the listener records connections.
  await fetch(`http://${outside.address}/`).catch(() => undefined);
  expect(outside.seen).toEqual(['connected']);
  outside.close();
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !refusals.test(text)));
});

test('pages, drawings, diagrams and Markdown are shown, in both themes and on a phone @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const programs: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('mermaid')) programs.push(request.url());
  });
  await openReplies(page, server, person, [
    fenced(
      'html',
      '<!doctype html><title>x</title><style>h1{color:red}</style><h1>Hello</h1><a href="#a">Down</a>',
    ),
    fenced('svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle id="c" r="4" /></svg>'),
    fenced('mermaid', 'graph TD; A[Start here] --> B[End here]'),
    fenced('mermaid', 'no diagram at all ]]'),
    fenced('markdown', '# A heading\n\n- one'),
  ]);
  const preview = (at: number) => page.getByRole('button', { name: 'Preview' }).nth(at);
  const close = async () => {
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(dialog(page)).toHaveCount(0);
  };
  await preview(0).click();
  const heading = frame(page).getByRole('heading', { name: 'Hello' });
  await expect(heading).toHaveCSS('color', 'rgb(255, 0, 0)');
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await layoutFaults(page)).toEqual([]);
  await close();
  await expect(preview(0)).toBeFocused();
  expect(await layoutFaults(page)).toEqual([]);
  await preview(1).click();
  await expect(frame(page).locator('svg > circle')).toBeVisible();
  await close();
  expect(programs).toEqual([]);
  await preview(2).click();
  await expect(frame(page).locator('svg').getByText('Start here')).toBeVisible();
  await close();
  await preview(3).click();
  await expect(frame(page).getByText('This diagram can’t be drawn.')).toBeVisible();
  await close();
  await preview(4).click();
  await expect(frame(page).getByRole('heading', { name: 'A heading' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

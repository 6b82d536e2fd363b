import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { drawPdf, sentence } from '../support/documents.ts';
import { mailTo } from '../support/mailbox.ts';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { newAddress } from '../support/visitor.ts';
import { fill, pressButton, pressRadio, type Tab, waitForHydration, waitForText } from './browser.ts';
import { firefoxPath, openFirefox } from './firefox.ts';
import { openWebkit, webkitPath } from './webkit.ts';

const composer = '.composer textarea';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const browsers = [
  { name: 'Firefox', path: firefoxPath, launch: openFirefox },
  { name: 'WebKitGTK', path: webkitPath, launch: openWebkit },
];

describe.each(browsers)('$name', ({ name, path, launch }) => {
  /** Opens a new browser with this session cookie; a failed test saves a screenshot of its last page. */
  async function openTab(width: number, cookie = ''): Promise<Tab> {
    const tab = await launch(width, 900);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail')
        writeFileSync(join('.cache', `${name}-${task.id}.png`), await tab.screenshot());
      await tab.close();
    });
    const [key = '', value = ''] = cookie.split(/=(.*)/s);
    if (key !== '') await tab.setCookie({ name: key, value, url: `${server.url}/terms` });
    return tab;
  }
  const visit = async (tab: Tab, at: string) => {
    await tab.open(server.url + at);
    await waitForHydration(tab);
  };

  test.skipIf(!path)('a visitor asks on the home page, signs in by code and receives a reply', async () => {
    const tab = await openTab(1280);
    const email = newAddress();
    const word = uniqueWord();
    await tab.open(`${server.url}/`);
    await pressButton(tab, 'Reject non-essential');
    await fill(tab, 'Your message, topic, question or prompt', `${word} ${noDelay}`);
    await tab.key('Enter');
    await eventually(async () => (await tab.url()).includes('/chat'));
    await waitForHydration(tab);
    await tab.press(composer);
    await tab.key('Enter');
    await fill(tab, 'Email', email);
    await tab.key('Enter');
    const { code } = await mailTo(server, email);
    await fill(tab, '6-digit code', code);
    await tab.key('Enter');
    await waitForText(tab, '9 credits left');
    const replied = () =>
      tab.evaluate<boolean>(`document.querySelector('article.chat-reply')?.textContent.includes('${word}')`);
    await eventually(replied);
    await visit(tab, new URL(await tab.url()).pathname);
    await eventually(replied);
  });

  test.skipIf(!path)('a reply shows every kind of content, and can be stopped', async () => {
    const { cookie } = await createPerson(server);
    const tab = await openTab(1280, cookie);
    await visit(tab, '/chat/new');
    const kinds =
      '## Head\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n```js\nlet x = 1\n```\n\n$x^2$\n\n- one\n\n> said';
    await tab.press(composer);
    await tab.type(`[[raw:${Buffer.from(kinds).toString('base64')}]] ${noDelay}`);
    await tab.key('Enter');
    await eventually(() =>
      tab.evaluate<boolean>(
        `['h2', 'table', 'pre code', 'math, .katex', 'li', 'blockquote'].every((kind) =>
          document.querySelector('article.chat-reply')?.querySelector(kind))`,
      ),
    );
    await tab.press(composer);
    await tab.type('[[tps:20]] [[tokens:2000]] [[first:0]] [[answer:lorem]]');
    await tab.key('Enter');
    await waitForText(tab, 'w0003');
    await pressButton(tab, 'Stop');
    await eventually(async () => {
      const { rows } = await server.database.query(
        `select g.state from generations g join users u on u.id = g.user_id where g.feature = 'chat' and g.state = 'stopped'`,
      );
      return rows.length > 0;
    });
  });

  test.skipIf(!path)('the writer, images and PDFs give results that are saved', async () => {
    const { cookie } = await createPerson(server, { credits: 40, plan: 'pro' });
    const tab = await openTab(1280, cookie);
    const word = uniqueWord();
    const startWork = async (kind: string) => {
      await tab.open(`${server.url}/`);
      await pressRadio(tab, kind);
      await fill(tab, 'Your message, topic, question or prompt', `${word} ${noDelay}`);
      await tab.key('Enter');
      await waitForHydration(tab);
    };
    await tab.open(`${server.url}/`);
    await pressButton(tab, 'Reject non-essential');
    await startWork('Write');
    await tab.press('main form button[type=submit]');
    await eventually(async () => (await tab.url()).includes('/tools/writer/'));
    await eventually(() =>
      tab.evaluate<boolean>(`document.querySelector('.doc')?.textContent.includes('${word}')`),
    );
    await startWork('Create an image');
    await tab.press('main form button[type=submit]');
    await eventually(() =>
      tab.evaluate<boolean>(
        `[...document.querySelectorAll('main img')].some((image) => image.alt.includes('${word}') && image.naturalWidth > 0)`,
      ),
    );
    await visit(tab, '/tools/pdf');
    const file = join(server.dataDir, 'a.pdf');
    writeFileSync(file, await drawPdf((d) => d.addPage().text([1, 2, 3].map(sentence).join(' '))));
    await tab.choose('input[type=file]', file);
    await eventually(async () => /\/tools\/pdf\/./.test(await tab.url()));
    await pressButton(tab, 'Analyze');
    await eventually(() => tab.evaluate<boolean>(`document.querySelector('.pdf-chip') !== null`));
  });

  test.skipIf(!path)('a plan is bought at the payment stand-in and shown', async () => {
    const { cookie } = await createPerson(server);
    const tab = await openTab(1280, cookie);
    await tab.open(`${server.url}/pricing`);
    await pressButton(tab, 'Continue to checkout at Creem');
    await eventually(async () => (await tab.url()).startsWith(`${server.standins}/creem/pay/`));
    await pressButton(tab, 'Pay $69.99');
    await waitForText(tab, 'Welcome to Pro. Your plan: 1 Year.');
  });

  test.skipIf(!path)('no page is wider than a phone, in either theme', async () => {
    const { cookie } = await createPerson(server);
    const tab = await openTab(390, cookie);
    const tooWide: string[] = [];
    await tab.open(`${server.url}/`);
    for (const at of [
      '/',
      '/pricing',
      '/blog',
      '/chat/new',
      '/tools/writer',
      '/tools/image',
      '/tools/pdf',
      '/tools/prompts',
      '/dashboard',
      '/settings',
    ])
      for (const theme of ['light', 'dark']) {
        await tab.evaluate(`localStorage.setItem('theme', '${theme}') ?? null`);
        await tab.open(server.url + at);
        const overflow = await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (overflow > 0) tooWide.push(`${at} ${theme}: ${overflow} px`);
      }
    expect(tooWide).toEqual([]);
  });
});

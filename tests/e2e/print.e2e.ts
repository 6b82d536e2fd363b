import { inflateSync } from 'node:zlib';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';

const reply = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]] [[tps:0]] [[first:0]]`;

/** Returns the page count and content streams (with colors) of a PDF by Chromium. */
function pdfFacts(pdf: Buffer): { pages: number; streams: string } {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, data]) => {
    try {
      return inflateSync(Buffer.from(data!, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return { pages: text.match(/\/Type \/Page\b/g)?.length ?? 0, streams: streams.join('\n') };
}

test('only the conversation is printed, black on white, from the dark theme too @soak', async ({
  page,
  context,
  server,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await context.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/chat');
  const long = `const text = "${'long '.repeat(60)}";`;
  await sendMessage(
    page,
    reply(
      `See [the docs](https://a.example/docs) and https://b.example/c.\n\n\`\`\`js\n${[long, 'b', 'c', 'd'].join('\n')}\n\`\`\`\n\n${'A paragraph of some length that fills the paper. '.repeat(120)}`,
    ),
  );
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await page.waitForURL(/\/chat\/[\da-f-]{36}$/);
  // Replaces the question: it contains the encoded reply, which would fill pages.
  await server.database.query(
    `update chat_messages set content = 'A question' where session_id = $1 and role = 'user'`,
    [page.url().split('/').at(-1)],
  );
  await page.reload();
  await expect(page.getByText('A question')).toBeVisible();
  await page.emulateMedia({ media: 'print' });

  for (const hidden of [
    '.chat-side',
    '.chat-composer',
    '.turn-actions',
    '.site-header',
    '.site-footer',
    '.md-lines',
  ])
    for (const element of await page.locator(hidden).all()) await expect(element, hidden).toBeHidden();
  await expect(page.locator('.md-code-head button').first()).toBeHidden();
  await expect(page.locator('article.chat-question h2')).toHaveText('You said');
  const label = await page.locator('article.chat-reply h2').first().boundingBox();
  expect(label?.width).toBeGreaterThan(50);
  const colours = await page
    .locator('article.chat-reply .md *')
    .evaluateAll((all) => [...new Set(all.map((element) => getComputedStyle(element).color))]);
  expect(colours).toEqual(['rgb(0, 0, 0)']);
  const after = (text: string) =>
    page.getByRole('link', { name: text }).evaluate((link) => getComputedStyle(link, '::after').content);
  expect(await after('the docs')).toContain('https://a.example/docs');
  expect(await after('https://b.example/c')).toBe('none');
  const code = page.locator('.md-code pre');
  expect(await code.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);

  const { pages, streams } = pdfFacts(await page.pdf({ format: 'A4' }));
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThan(4);
  expect(streams.length).toBeGreaterThan(1000);
});

test('a long chat is printed completely, from its menu and by the shortcut @soak', async ({
  page,
  context,
  server,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      const printed = document.querySelectorAll('article').length;
      document.documentElement.dataset.printed = `${document.documentElement.dataset.printed ?? ''}${printed} `;
    };
  });
  const person = await signInAs(context, server);
  const chat = await writeChat(server, person, 242, (at) => `Message ${at}`);
  const printed = () => page.evaluate(() => document.documentElement.dataset.printed);
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Chat options' }).click();
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(printed).toBe('242 ');
  await page.goto(`/chat/${chat.id}?at=${chat.messages[120]}`);
  await waitForHydration(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('This is only part of the chat.')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+p');
  await expect.poll(printed).toBe('242 ');
  await expect(page.getByText('This is only part of the chat.')).toHaveCount(0);
});

import { readFileSync } from 'node:fs';
import { expect, say, signInAs, test } from '../support/journey.ts';

const vectors = JSON.parse(
  readFileSync(
    new URL('../../src/features/chat/web/markdown/fixtures/hostile.json', import.meta.url),
    'utf8',
  ),
) as { auto: Record<string, string>; exec: Record<string, string> };

/** The gateway answers with exactly this text. */
const reply = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]] [[tps:0]] [[first:0]]`;

test('nothing in a reply runs, and nothing leaves the page', async ({ page, context, server }) => {
  await signInAs(context, server, { plan: 'pro' });
  const foreign: string[] = [];
  const ran: string[] = [];
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(server.url) || url.startsWith('data:') || url.startsWith('blob:'))
      return route.continue();
    foreign.push(url);
    return route.abort();
  });
  await page.exposeFunction('alert', (text: unknown) => void ran.push(String(text)));
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('popup', (popup) => ran.push(`popup ${popup.url()}`));
  await page.goto('/chat/new');
  const all = [...Object.values(vectors.auto), ...Object.values(vectors.exec)];
  for (const [index, text] of all.entries()) {
    await say(page, reply(`${text}\n\nend-of-${index}`));
    await expect(page.getByText(`end-of-${index}`, { exact: false }).last()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  }
  expect(foreign).toEqual([]);
  expect(ran).toEqual([]);
  const transcript = page.getByRole('region', { name: 'Conversation' });
  expect(
    await transcript
      .locator('img, iframe, object, embed, form, script, style, video, audio, svg a, link, meta, base')
      .count(),
  ).toBe(0);
  expect(new URL(page.url()).origin).toBe(server.url);
});

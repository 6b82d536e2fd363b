import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { locales, m } from '#messages';
import { withLocale } from '#platform/locale.server.ts';
import { baseLanguage, splitLanguage, textDirection } from '#shared/language-path.ts';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { siteMapPaths } from '../support/crawl.ts';
import { drawPdf, sentence } from '../support/documents.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults, untranslatedWords } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import { mailTo } from '../support/mailbox.ts';
import { seedDocument } from '../support/seed-document.ts';
import { seedPlan } from '../support/seed-plan.ts';
import { sampleOf, soak } from '../support/soak.ts';
import { newAddress } from '../support/visitor.ts';
import { seedWork } from '../support/works.ts';

/**
 * `npm test` covers the mirrored layout at one width and the longest words at the narrowest one; the soak covers all
 * pairs.
 */
const sample = [
  ['de', 390],
  ['ar', 1280],
] as const;
const pairs = locales.flatMap((language) => [1280, 390].map((width) => [language, width] as const));
const others = pairs.filter(([language]) => language !== baseLanguage);

/** Content by people, which is not in the page's language. */
const content = [
  '.bubble, article.chat-reply, .chat-row, [data-me], [data-content]',
  '.prompt-whole, .prompt-card h3, .prompt-card p',
].join(', ');

for (const [language, width] of soak ? others : sample)
  test.describe(`${language}, ${width} px`, () => {
    test.use({ locale: language, viewport: { width, height: 900 } });

    const checkPage = async (page: Page, found: string[]) => {
      const { pathname, search } = new URL(page.url());
      const faults = [
        ...(await layoutFaults(page)),
        ...(await untranslatedWords(page, content)).map((text) => `English: ${text}`),
        ...(language === 'ar' ? await violationsOf(page) : []),
      ];
      found.push(...faults.map((fault) => `${pathname}${search}: ${fault}`));
    };
    const root = (page: Page) =>
      page.evaluate(() => ({
        lang: document.documentElement.lang,
        dir: document.documentElement.dir || 'ltr',
      }));
    const expected = { lang: language, dir: textDirection(language) };

    test('public pages fit and are in the language', { tag: width === 1280 ? [] : '@soak' }, async ({
      page,
      server,
      browserErrors,
    }) => {
      const found: string[] = [];
      const untranslated = /^\/(blog\/|privacy|terms|cookies)/;
      const listed = (await siteMapPaths(server)).filter(
        (path) => !untranslated.test(path) && splitLanguage(path).language === null,
      );
      const more = ['/sign-in?plan=yearly', '/restore', '/error?error=access_denied', '/nothing-here'];
      for (const path of sampleOf([...listed, ...more, '/blog/what-is-gpt-5', '/terms'])) {
        await page.goto(path);
        expect(await root(page), path).toEqual(expected);
        await checkPage(page, found);
      }
      expect(found).toEqual([]);
      browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !/404|410/.test(text)));
    });

    test('the pages of a member fit and are in the language', { tag: width === 390 ? [] : '@soak' }, async ({
      page,
      context,
      server,
      browserErrors,
    }) => {
      const found: string[] = [];
      const person = await signInAs(context, server, { credits: 3 });
      const { id } = await writeChat(server, person, 4);
      const missing = randomUUID();
      const draft = await seedWork(server, person);
      await seedDocument(server, person);
      const open = async (path: string) => {
        await page.goto(path);
        expect(await root(page), path).toEqual(expected);
        // These two are not rendered by React.
        if (path !== '/pricing' && !path.includes(missing)) await waitForHydration(page);
        await checkPage(page, found);
      };
      for (const path of sampleOf([
        ...['/chat/new', `/chat/${id}`, `/chat/${missing}`, '/tools/writer', `/tools/writer/${draft.work}`],
        ...['/tools/script', '/tools/image', '/tools/pdf', '/tools/prompts', '/tools/prompts?upload=1'],
        ...['/dashboard', '/settings', '/pricing'],
      ]))
        await open(path);
      await seedPlan(server, person, { from: -20, to: 345 });
      for (const path of sampleOf(['/dashboard', '/tools/script', '/tools/pdf'])) await open(path);
      expect(found).toEqual([]);
      browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !/404|410/.test(text)));
    });
  });

test('a language is chosen in the footer, persists, and follows the account to another browser', async ({
  page,
  context,
  browser,
  server,
}) => {
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(`${server.url}/pricing`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.goto('/about');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const person = await signInAs(context, server);
  await page.goto('/settings');
  await page.locator('main').getByRole('button', { name: 'español' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  const other = await browser.newContext({ baseURL: server.url, locale: 'ja' });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await other.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  const second = await other.newPage();
  await second.goto('/dashboard');
  await expect(second.locator('html')).toHaveAttribute('lang', 'es');
  await other.close();
});

for (const language of ['de', 'ar'] as const)
  test.describe(`a new person on a phone, ${language}`, { tag: language === 'ar' ? [] : '@soak' }, () => {
    test.use({ locale: language, viewport: { width: 390, height: 844 } });
    const translated = <T>(words: () => T) => withLocale(language, words);
    const noDelay = '[[tps:0]] [[first:0]]';

    /** Goes from the home page to a tool's form with the typed text. */
    async function startFromHome(page: Page, tab: string, text: string): Promise<void> {
      await page.goto('/');
      await page.getByRole('radio', { name: tab, exact: true }).check({ force: true });
      await page.getByLabel(translated(m.home_box_label)).fill(text);
      await page.getByLabel(translated(m.home_box_label)).press('Enter');
      await waitForHydration(page);
    }

    test('gets from the home page to a saved result in each of the six tools @soak', async ({
      page,
      server,
    }) => {
      const email = newAddress();
      const word = uniqueWord();
      await startFromHome(page, translated(m.home_tab_chat), `${word} ${noDelay}`);
      await page.locator('.composer textarea').press('Enter');
      await page.locator('#sign-in').getByRole('textbox').first().fill(email);
      await page.keyboard.press('Enter');
      const { code } = await mailTo(server, email);
      await page.locator('#dialog-code').fill(code);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
      await expect(page.locator('article.chat-reply')).toContainText(word);
      await page.reload();
      await expect(page.locator('article.chat-reply')).toContainText(word);

      const generate = page.getByRole('button', { name: new RegExp(`^${translated(m.tools_generate)}`) });
      await startFromHome(page, translated(m.home_tab_writer), `${word} ${noDelay}`);
      await generate.click();
      await expect(page.locator('.doc').first()).toContainText(word);
      await expect(page).toHaveURL(/\/tools\/writer\/[0-9a-f-]{36}$/);

      await startFromHome(page, translated(m.home_tab_image), `${word} [[first:0]]`);
      await generate.click();
      await expect(page.locator(`main img[alt*="${word}"]`)).toHaveCount(1);

      await server.database.query(
        `insert into plan_grants (id, user_id, plan, cause)
         select gen_random_uuid(), id, 'pro', 'test' from users where email = $1`,
        [email],
      );
      await server.database.query(`update users set plan = 'pro' where email = $1`, [email]);
      await startFromHome(page, translated(m.home_tab_script), `${word} ${noDelay}`);
      await page.locator('main').getByRole('radio').first().check();
      await generate.click();
      await expect(page).toHaveURL(/\/tools\/script\/[0-9a-f-]{36}$/);
      await expect(page.locator('.sp')).toContainText(/INT\.|EXT\./);

      await startFromHome(page, translated(m.home_tab_pdf), word);
      const bytes = await drawPdf((d) => d.addPage().text([1, 2, 3].map(sentence).join(' ')));
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: bytes });
      await expect(page).toHaveURL(/\/tools\/pdf\/./);
      await page.getByRole('button', { name: translated(m.pdfs_analyze), exact: true }).click();
      await expect(page.locator('.pdf-chip').first()).toBeVisible();

      await startFromHome(page, translated(m.home_tab_prompts), 'toast with');
      await page
        .getByRole('link', { name: new RegExp(`^${translated(m.prompts_use)}`) })
        .first()
        .click();
      for (const [at, text] of [
        [0, 'x'],
        [2, 'y'],
        [3, 'z'],
      ] as const)
        await page.locator(`#blank-${at}`).fill(text);
      await page.getByRole('button', { name: translated(m.prompts_open_chat) }).click();
      await expect(page.locator('.composer textarea')).toHaveValue(/^Write a toast for x/);
      await page.goto('/dashboard');
      await expect(page.locator('main')).toContainText('a.pdf');
    });
  });

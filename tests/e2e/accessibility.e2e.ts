import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { sections } from '#app/admin/sections.ts';
import { blogOrder } from '#content/blog.ts';
import type { Tag } from '#features/library/contract.ts';
import { consentKey } from '#shared/consent.ts';
import { Shopper } from '../../standins/creem/buyer.fixture.ts';
import { OPERATOR, withEmail } from '../support/admin.ts';
import { appearancesInTurn } from '../support/appearances.ts';
import { violationsOf } from '../support/axe.ts';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { createPerson } from '../support/people.ts';
import { seedDocument } from '../support/seed-document.ts';
import { seedPlan } from '../support/seed-plan.ts';
import type { TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { sampled, sampleOf } from '../support/soak.ts';
import { seedWork } from '../support/works.ts';

interface Scene {
  page: Page;
  context: BrowserContext;
  server: TestServer;
  /** True on a phone's screen. */
  phone: boolean;
  /** Checks the current page: the rules of axe, and that it is not wider than the screen. */
  check(name: string): Promise<void>;
}

/** `npm test` checks every third page; the order puts pages that people see first among those. */
const plain = [
  ...['/', '/sign-in/confirm?token=x', '/restore', '/tools', '/nothing-here', '/privacy'],
  ...['/pricing?payment=cancelled', '/error?error=access_denied&description=No', '/terms'],
  ...[
    '/blog/is-gpt-5-a-letdown',
    '/blog',
    '/blog?q=zzz&category=news',
    '/contact',
    '/contact?received=C-7F3K-92QD',
  ],
  ...[
    '/cookies',
    '/sign-in?plan=yearly',
    '/use-cases',
    '/about',
    '/newsletter',
    '/newsletter/confirm?token=x',
  ],
  ...['/newsletter/unsubscribe?token=x', '/chat', '/dashboard', '/sitemap'],
];

/** Opens an app page and waits until it is hydrated. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

const dialog = (page: Page) => page.getByRole('dialog').first();
const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** Scenes by name: each brings a page into several states and checks them. */
const scenes: Record<string, (scene: Scene) => Promise<void>> = {
  async 'the pages without an account'({ page, check }) {
    for (const path of sampleOf(plain)) {
      await page.goto(path);
      // The answers to questions are checked too.
      for (const summary of await page.locator('main summary:visible').all()) await summary.click();
      await check(path);
    }
  },

  async 'kept chats, and the offline page @soak'({ page, context, server, check }) {
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 4);
    await open(page, '/settings');
    await page.getByRole('checkbox', { name: 'Keep recent chats on this device' }).check();
    await expect(page.getByText(/^1 chat stored, /)).toBeVisible();
    await check('settings that keep chats');
    await context.setOffline(true);
    for (const path of ['/dashboard', '/chat/new', `/chat/${id}`, `/chat/${randomUUID()}`]) {
      await page.goto(path);
      await expect(
        page
          .getByText(/You’re offline|needs a connection/)
          .filter({ visible: true })
          .first(),
      ).toBeVisible();
      await check(`${path.replace(id, 'a chat')} offline`);
    }
    await context.setOffline(false);
  },

  async 'menus, dialogs and forms of the shell'({ page, context, server, phone, check }) {
    await page.goto('/');
    await press(page, 'Theme');
    await check('the menu of themes');
    await page.keyboard.press('Escape');
    if (phone) {
      await press(page, 'Menu');
      await check('the drawer');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await expect(dialog(page)).toBeVisible();
    await check('the dialog');
    await press(page, 'Sign In & Subscribe');
    await dialog(page).getByLabel('Email').fill('nobody@nowhere');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await check('the dialog after a refusal');
    // An article with code, tables and a prompt, and with its menu open.
    await page.goto('/blog/gpt-5-technical-deep-dive');
    await press(page, 'Share');
    await check('an article with its menu');
    await page.goto('/contact');
    await page.locator('main').getByLabel('Name (optional)').fill('W'.repeat(90));
    await page
      .locator('main')
      .getByLabel('Email', { exact: true })
      .fill(`${'long'.repeat(20)}@example`);
    await press(page, 'Send message');
    await expect(page.getByRole('region', { name: 'Your message was not sent' })).toBeVisible();
    await check('a refused message');
    await signInAs(context, server);
    await page.goto('/settings');
    await press(page, 'Account');
    await check('the settings under the menu of the account');
  },

  async 'the pages of operators'({ page, context, server, check }) {
    const person = await signInAs(context, server, { plan: 'pro' });
    await withEmail(server, person, OPERATOR);
    const buyer = await createPerson(server);
    await seedPlan(server, buyer);
    for (const { path } of sampleOf(sections)) {
      await page.goto(path);
      for (const summary of await page.locator('main summary:visible').all()) await summary.click();
      await check(path);
    }
    await page.goto(`/admin/people/${buyer.id}`);
    await page.getByText('Refund', { exact: true }).click();
    await check('a refund');
    for (const name of sampleOf(['Give credits', 'Give a plan', 'Ban', 'Erase'])) {
      await page.locator('summary', { hasText: name }).click();
      await check(name);
    }
    await page.goto('/admin/settings');
    await page.getByLabel('Name', { exact: true }).fill('<b>');
    await press(page, 'Save all changes');
    await expect(page.getByText('What you typed is still here.')).toBeVisible();
    await check('a setting that is refused');
    await page.goto('/admin/settings');
    const mails = page.getByLabel('Sign-in mails');
    await mails.fill(String(Number(await mails.inputValue()) + 1));
    await press(page, 'Save all changes');
    await expect(page.getByRole('status')).toContainText('Saved as change');
    await page.goto('/admin/settings/history');
    await check('the history of the settings');
    await press(page, /^Undo/);
    await expect(page.getByRole('status')).toContainText('Undid change');
    await page.goto('/admin/settings/logo');
    const picture = page.getByLabel('Image');
    await picture.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture') });
    await press(page, 'Upload logo');
    await expect(page.getByText('The image cannot be read')).toBeVisible();
    await check('a picture that is refused');
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="3"/></svg>';
    await picture.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
    await press(page, 'Upload logo');
    await expect(page.getByRole('img', { name: 'The logo' })).toBeVisible();
    await check('a logo');
    await press(page, 'Remove logo');
    await expect(page.getByText('pages show the built-in one')).toBeVisible();
    await page.goto('/admin/sign-in');
    await check('a new sign-in');
  },

  async 'the choice of cookies'({ page, context, check }) {
    await context.addInitScript((key) => localStorage.removeItem(key), consentKey);
    await page.goto('/chat');
    await expect(page.getByRole('region', { name: 'Cookie consent' })).toBeVisible();
    await check('asked');
    for (const path of ['/', '/cookies']) {
      await page.goto(path);
      await page.locator('[data-consent-open]:visible').first().click();
      await expect(page.getByRole('checkbox', { name: 'Functional' })).toBeFocused();
      await check(`choosing on ${path}`);
    }
  },

  async 'the dashboard and the prices'({ page, context, server, check }) {
    const person = await signInAs(context, server);
    await page.goto('/pricing');
    await check('the prices, on the free plan');
    await seedPlan(server, person, { plan: 'monthly', status: 'paused', from: -60, to: -30, until: null });
    await open(page, '/dashboard');
    await check('a paused plan');
    await press(page, 'Resume');
    await expect(dialog(page)).toContainText('Creem charges $19.99 now');
    await check('what resuming costs');
    await seedPlan(server, await signInAs(context, server), { from: -20, to: 345 });
    await open(page, '/dashboard');
    await check('Pro');
    await press(page, 'Cancel plan');
    await expect(dialog(page)).toBeVisible();
    await check('cancelling');
    await page.goto('/pricing');
    await check('the prices, on Pro');
  },

  async 'the library @soak'({ page, context, server, check }) {
    const person = await signInAs(context, server);
    await open(page, '/library');
    await check('an empty library');
    const { work } = await seedWork(server, person, { title: 'Ten quiet habits', texts: ['A habit a day.'] });
    await seedWork(server, person, { feature: 'script', title: 'INT. KITCHEN' });
    await seedDocument(server, person);
    await writeChat(server, person, 2);
    await person.send('POST', '/api/projects', { name: 'Garden' });
    const { id } = (await (await person.send('POST', '/api/library/tags', { name: 'Draft' })).json()) as Tag;
    const items = [{ kind: 'writer', id: work }];
    await person.send('POST', '/api/library/selection/tags', { items, add: [id], remove: [] });
    await open(page, '/library?q=habit');
    await check('results in the library');
    await open(page, '/library?view=grid');
    await check('the library as a grid');
    await open(page, '/library?q=zzz');
    await check('nothing found in the library');
  },

  async 'the hosted checkout and portal of the stand-in @soak'({ page, server, phone, check }) {
    const shop = new Shopper(server.standins);
    const { id, checkout_url } = await shop.checkout({ success_url: `${server.url}/tools` });
    await page.goto(String(checkout_url));
    await check('the checkout');
    await press(page, 'Decline');
    await expect(page.getByRole('alert')).toBeVisible();
    await check('declined');
    const { customer } = await shop.buy({ customer: { email: `${String(id).toLowerCase()}@example.com` } });
    const { body } = await shop.call('POST', '/v1/customers/billing', { customer_id: customer });
    await page.goto(String(body.customer_portal_link));
    await check('the portal');
    await page.goto(`${server.standins}/creem`);
    // A developers' table that is made for wide screens.
    if (!phone) await check('the list of all');
  },

  async 'the start of a chat'({ page, context, server, phone, check }) {
    await signInAs(context, server, { credits: 1 });
    await open(page, '/chat/new?assistant=code');
    await expect(page.getByRole('dialog', { name: '1 credit left' })).toBeVisible();
    await check('the last credit');
    const last = dialog(page).getByRole('button', { name: phone ? 'Close' : 'Not now' });
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport();
    await last.click();
    await check('an empty chat');
    const account = page.getByRole('button', { name: /^Account/ });
    if (await account.isVisible()) {
      await account.click();
      await check('the menu of the account');
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('ControlOrMeta+/');
    await expect(dialog(page)).toBeVisible();
    await check('the keys');
    await dialog(page).getByRole('checkbox').click();
    await check('the keys, switched off');
    await page.goto(`/chat/${randomUUID()}`);
    await expect(page.getByText('We can’t find this chat.')).toBeVisible();
    await check('a missing chat');
  },

  async 'the choice of a model, and its thinking @soak'({ page, context, server, check }) {
    await changeSetting(
      [server],
      [
        ...['set', 'models.list', 'maker/fast | Fast | Everyday questions | images'],
        'maker/deep | Deep | Hard problems | thinks, 5 credits',
        'maker/vast | Vast | Everything at once | images, thinks, pro',
      ],
    );
    await signInAs(context, server, { credits: 50 });
    await open(page, '/chat/new');
    await check('the button');
    await press(page, /^Model: /);
    await expect(page.getByRole('menu', { name: 'Choose a model' })).toBeVisible();
    await check('the menu');
    await page.getByRole('menuitemradio', { name: 'Deep' }).click();
    await sendMessage(page, `${randomUUID()} [[mode:reasoning]] [[tokens:9]] [[tps:0]] [[first:0]]`);
    await page.getByText(/^Thought for /).click();
    await expect(page.getByText('thought6')).toBeVisible();
    await check('what it thought');
    await changeSetting([server], ['unset', 'models.list']);
  },

  async 'a conversation'({ page, context, server, phone, check }) {
    const person = await signInAs(context, server, { plan: 'pro' });
    const code = Array.from(
      { length: 12 },
      (_, at) => `const v${at} = "${'long '.repeat(at === 2 ? 60 : 1)}";`,
    );
    const wideFormula = Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join('+');
    const texts = [
      Array.from({ length: 90 }, (_, at) => `Line ${at} of a long question`).join('\n'),
      `\`\`\`js\n${code.join('\n')}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${'wide'.repeat(80)} | c |`,
      'And a formula?',
      `$$\n${wideFormula}\n$$\n\nSee [your bank](https://evil.example/c?d=${'SECRET'.repeat(20)}).`,
    ];
    const { id } = await writeChat(server, person, 4, (at) => texts[at] ?? '');
    await open(page, `/chat/${id}`);
    await check('code, a table, a formula, a folded question');
    await page.locator('.md-code').getByRole('button', { name: 'Wrap lines' }).click();
    // Code is highlighted once it is in view.
    await expect(page.locator('.md-code .md-line span[class]').first()).toBeAttached();
    await check('wrapped code');
    await press(page, /your bank/);
    await expect(dialog(page)).toBeVisible();
    await check('a link that could deceive');
    await page.keyboard.press('Escape');
    await press(page, 'About this reply');
    await check('about a reply');
    await page.keyboard.press('Escape');
    await press(page, 'Chat options');
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
    await check('the menu');
    await page.keyboard.press('Escape');
    if (phone) await press(page, 'Chat options');
    await press(page, 'Rename');
    await expect(page.getByRole('textbox', { name: 'Chat title' })).toBeVisible();
    await check('the title as a field');
    await page.keyboard.press('Escape');
    await composer(page).fill('/toast');
    await expect(page.getByRole('region', { name: 'Prompts' }).getByRole('option')).toHaveCount(1);
    await check('the finder of prompts');
    await composer(page).fill('');
    await sendMessage(page, `${randomUUID()} [[mode:502]]`);
    await expect(page.getByText('Sorry, I encountered an error. Please try again.').last()).toBeVisible();
    await page.getByText('Details').last().click();
    await check('a failure');
  },

  async 'a notice over the composer @soak'({ page, context, server, check }) {
    const person = await signInAs(context, server, { credits: 0 });
    const { id } = await writeChat(server, person, 2);
    await open(page, `/chat/${id}`);
    await sendMessage(page, 'More');
    await expect(dialog(page)).toBeVisible();
    await check('the plans');
    await page.keyboard.press('Escape');
    await check('the notice');
  },

  async 'the list of chats and its search @soak'({ page, context, server, phone, check }) {
    const person = await signInAs(context, server);
    const updatedAt = new Date();
    await seedChats(server, person, [
      { title: 'First', updatedAt },
      { title: 'A title that is much longer than the sidebar is wide, as titles often are', updatedAt },
    ]);
    await open(page, '/chat/new');
    const drawer = page.locator('.chat-head button[popovertarget]');
    const list = page.getByRole('navigation', { name: 'Recent chats' });
    if (phone) await drawer.click();
    await check('the list');
    await list.getByRole('button', { name: 'Options for “First”' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await check('the menu of a chat');
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await expect(list.getByRole('textbox', { name: 'Chat title' })).toBeFocused();
    await check('the title as a field');
    await page.keyboard.press('Escape');
    await press(page, 'Search everything');
    await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeFocused();
    await check('the search');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('first');
    await expect(
      page.getByRole('dialog', { name: 'Search everything' }).locator('mark').first(),
    ).toBeVisible();
    await check('what is found');
    await page.keyboard.press('Escape');
    // The focus returns to the element that opened the dialog.
    await expect(phone ? drawer : page.getByRole('button', { name: 'Search everything' })).toBeFocused();
  },

  async 'the library of prompts'({ page, context, server, check }) {
    await open(page, '/tools/prompts?q=text');
    await check('the library');
    await signInAs(context, server);
    await open(page, '/tools/prompts/cover-letter-from-facts');
    await check('a locked prompt');
    await page.getByRole('link', { name: /^Unlock/ }).click();
    await dialog(page).waitFor();
    await check('what unlocks it');
    await open(page, '/tools/prompts/sql-from-question?use=1');
    await press(page, 'Open in chat');
    await check('its form, refused');
    await open(page, '/tools/prompts?upload=1');
    await dialog(page).waitFor();
    await page.getByLabel('Title').fill('x'.repeat(80));
    await page.getByLabel('Prompt', { exact: true }).fill(`{{${'long_'.repeat(8)}}} ${'x'.repeat(300)}`);
    await check('the editor');
    await press(page, 'Save privately');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await open(page, '/tools/prompts?sort=mine');
    await check('one’s own');
  },
};

/** Error statuses that scenes provoke, as the browser logs them. */
const refusals = /status of (400|402|404|410|422)|DISCONNECTED/;

for (const [nth, [name, walk]] of Object.entries(scenes).entries())
  for (const [colorScheme, width] of appearancesInTurn(nth, 1280, 390))
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test(name, async ({ page, context, server, browserErrors }) => {
        const found: string[] = [];
        const check = async (state: string) => {
          found.push(...(await violationsOf(page)).map((fault) => `${state}: ${fault}`));
        };
        await walk({ page, context, server, phone: width === 390, check });
        expect(found).toEqual([]);
        browserErrors.splice(
          0,
          browserErrors.length,
          ...browserErrors.filter((text) => !refusals.test(text)),
        );
      });
    });

/** Returns links and buttons that are too low for a finger: under 44 px and not part of a sentence. */
const lowTargets = (page: Page) =>
  page
    .locator('main :is(.btn, summary, tbody a, .case-tools a, .about-offer a):visible')
    .evaluateAll((all) =>
      all
        .filter((one) => one.getBoundingClientRect().height < 43.9)
        .map(({ outerHTML }) => outerHTML.slice(0, 90)),
    );

for (const [name, viewport] of [
  ['320 px', { width: 320, height: 640 }],
  // The viewport of a 1280 × 900 screen at 200 % zoom (WCAG 1.4.4, 1.4.10).
  ['200 % zoom', { width: 640, height: 450 }],
] as const)
  test.describe(name, { tag: viewport.width === 320 ? [] : '@soak' }, () => {
    test.use({ viewport, hasTouch: true });

    test('every page fits, and the dialog can be read to its end', async ({
      page,
      context,
      server,
      browserErrors,
    }) => {
      const overflowing: string[] = [];
      const fits = async (path: string) => {
        const overflow = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
        if (overflow > 0) overflowing.push(`${path}: ${overflow}`);
      };
      const articles =
        viewport.width === 320
          ? blogOrder.slice(0, sampled(1, blogOrder.length)).map((slug) => `/blog/${slug}`)
          : [];
      for (const path of [...sampleOf(plain), ...articles]) {
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await fits(path);
        if (['/tools', '/use-cases', '/about', '/sitemap'].includes(path))
          expect(await lowTargets(page)).toEqual([]);
      }
      await page.goto('/');
      await page.getByRole('link', { name: 'Sign In' }).first().click();
      const last = page.getByRole('button', { name: 'Sign In & Subscribe' });
      await last.scrollIntoViewIfNeeded();
      await expect(last).toBeInViewport();
      await fits('the dialog');
      await signInAs(context, server);
      for (const path of ['/settings', '/dashboard', '/chat/new', '/tools/prompts']) {
        await page.goto(path);
        await fits(path);
      }
      expect(overflowing).toEqual([]);
      browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !refusals.test(text)));
    });
  });

test('reduced motion turns all animations off @soak', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].map((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element);
        return Math.max(
          ...[animationDuration, transitionDuration].flatMap((list) =>
            list.split(',').map((time) => Number.parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)),
          ),
        );
      }),
    ),
  );
  expect(longest).toBeLessThanOrEqual(1);
});

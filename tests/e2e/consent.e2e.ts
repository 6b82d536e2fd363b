import type { BrowserContext, Locator, Page } from '@playwright/test';
import { consentKey } from '#shared/consent.ts';
import { appearances } from '../support/appearances.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { hideUntilParsed } from '../support/layout-shifts.ts';
import { writeChat } from '../support/long-chat.ts';
import { siteRoutes } from '../support/raw.ts';
import { soak } from '../support/soak.ts';

test.use({ consent: 'none' });

const start = new Date('2026-11-21T10:00:00Z');
const banner = (page: Page) => page.getByRole('region', { name: 'Cookie consent' });
const button = (page: Page, name: string) => banner(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => banner(page).getByRole('checkbox', { name, exact: true });

/** Opens a page with a paused clock. */
async function openPaused(page: Page, path: string): Promise<void> {
  await page.clock.install({ time: start });
  await page.clock.pauseAt(new Date(start.getTime() + 60_000));
  await page.goto(path, { waitUntil: 'load' });
  // The chat takes the focus when it hydrates, if nothing else has it.
  if (path === '/chat') await waitForHydration(page);
}

/** Opens a page and waits for the banner. */
async function openWithBanner(page: Page, path: string): Promise<void> {
  await openPaused(page, path);
  await page.clock.runFor(2000);
  await expect(banner(page)).toBeVisible();
}

const stored = (page: Page) =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown, consentKey);

async function boxOf(locator: Locator) {
  const found = await locator.boundingBox();
  if (!found) throw new Error('It is not on the page.');
  return found;
}

async function areSeparate(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x;
}

/** Returns everything that the page and the browser store for the site. */
async function storedItems(page: Page, context: BrowserContext) {
  const inPage = await page.evaluate(async () => ({
    local: Object.keys(localStorage).sort(),
    session: Object.keys(sessionStorage),
    databases: await indexedDB.databases(),
    caches: 'caches' in window ? await caches.keys() : [],
    workers: (await navigator.serviceWorker?.getRegistrations())?.length ?? 0,
  }));
  return { ...inPage, cookies: (await context.cookies()).map(({ name }) => name) };
}

const nothing = { local: [], session: [], databases: [], caches: [], workers: 0, cookies: [] };

/** A layout shift as the browser reports it: https://wicg.github.io/layout-instability/ */
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: Array<{ node: Node | null }>;
}

test('the banner appears 2,000 ms after the page has loaded, takes no focus and shifts nothing', async ({
  page,
  context,
  server,
}) => {
  await hideUntilParsed(page);
  await page.addInitScript(() => {
    const shifts = { score: 0, outside: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        // Shifts after input do not count towards the score; only the banner may change its size then.
        if (!hadRecentInput) shifts.score += value;
        const own = ({ node }: { node: Node | null }) => document.querySelector('#consent')?.contains(node);
        if (!sources.every(own)) shifts.outside += 1;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const shifts = () => page.evaluate(() => (window as unknown as { shifts: unknown }).shifts);
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.localName} ${document.activeElement?.id}`);
  for (const path of soak ? ['/', '/chat', '/sign-in', '/cookies'] : ['/chat', '/cookies']) {
    await openPaused(page, path);
    await page.clock.runFor(1999);
    await expect(banner(page)).toBeHidden();
    const focus = await focused();
    await page.clock.runFor(1);
    await expect(banner(page)).toBeVisible();
    // A screenshot waits until changes are painted.
    await page.screenshot();
    expect(await focused(), path).toBe(focus);
    for (const name of ['Customize', 'Cancel']) {
      await button(page, name).click();
      await page.screenshot();
    }
    expect(await shifts(), path).toEqual({ score: 0, outside: 0 });
  }
  await signInAs(context, server);
  await openPaused(page, '/');
  await page.clock.runFor(2000);
  await expect(banner(page)).toBeVisible();
  await page.screenshot();
  expect(await shifts(), 'signed in').toEqual({ score: 0, outside: 0 });
});

for (const width of soak ? [1280, 390] : [390])
  test(`on the chat at ${width} px it is not the largest paint @soak`, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript(() => {
      const paints = { all: 0, banner: 0 };
      Object.assign(window, { paints });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { element } = entry as PerformanceEntry & { element: Element | null };
          paints.all += 1;
          if (element?.closest('#consent')) paints.banner += 1;
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    const expectPaint = async (path: string) => {
      await page.goto(path);
      await expect(banner(page)).toBeVisible();
      await page.screenshot();
      const paints = await page.evaluate(() => (window as unknown as { paints: object }).paints);
      expect(paints).toMatchObject({ all: expect.any(Number), banner: 0 });
      expect(paints).not.toMatchObject({ all: 0 });
    };
    await expectPaint('/chat');
    // A chat of one word has little else to paint.
    const person = await signInAs(context, server, { plan: 'pro' });
    const chat = await writeChat(server, person, 2, () => 'Yes.');
    await expectPaint(`/chat/${chat.id}`);
  });

for (const [colorScheme, width] of appearances(1280, 320)) {
  test(`its three answers have the same weight, ${colorScheme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    for (const path of soak ? ['/', '/chat'] : [width === 320 ? '/chat' : '/']) {
      await openWithBanner(page, path);
      const appearances = await banner(page)
        .getByRole('button')
        .evaluateAll((buttons) =>
          buttons.map((each) => {
            const { width: wide, height, top } = each.getBoundingClientRect();
            const style = getComputedStyle(each);
            const { color, backgroundColor, borderColor, fontSize, fontWeight } = style;
            return {
              wide: Math.round(wide),
              height,
              top,
              color,
              backgroundColor,
              borderColor,
              fontSize,
              fontWeight,
            };
          }),
        );
      const outside = await banner(page)
        .getByRole('button')
        .evaluateAll(
          (buttons) =>
            buttons.filter((each) => {
              const words = document.createRange();
              words.selectNodeContents(each);
              const [inner, outer] = [words.getBoundingClientRect(), each.getBoundingClientRect()];
              return inner.left < outer.left || inner.right > outer.right || inner.bottom > outer.bottom;
            }).length,
        );
      expect(outside, path).toBe(0);
      expect(appearances).toHaveLength(3);
      expect(appearances[1]).toEqual(appearances[0]);
      expect(appearances[2]).toEqual(appearances[0]);
      expect(appearances[0]?.height).toBeGreaterThanOrEqual(36);
    }
  });
}

test('each answer is stored in the form of the specification', async ({ page }) => {
  const answers: Array<[string, { functional: boolean; analytics: boolean }]> = [
    ['Accept All', { functional: true, analytics: true }],
    ['Reject non-essential', { functional: false, analytics: false }],
  ];
  for (const [name, choice] of answers) {
    await openWithBanner(page, '/');
    await button(page, name).click();
    await expect(banner(page)).toBeHidden();
    const timestamp = expect.stringMatching(/^2026-11-21T10:01:02\.\d{3}Z$/);
    expect(await stored(page)).toEqual({ essential: true, ...choice, timestamp, version: 1 });
    await page.reload();
    await page.clock.runFor(5000);
    await expect(banner(page)).toBeHidden();
    await page.evaluate(() => localStorage.clear());
  }
});

test('Customize opens with functional on and analytics off; Cancel goes back, Save stores the choice @soak', async ({
  page,
}) => {
  await openWithBanner(page, '/');
  await button(page, 'Customize').click();
  await expect(box(page, 'Essential')).toBeChecked();
  await expect(box(page, 'Essential')).toBeDisabled();
  await expect(box(page, 'Functional')).toBeChecked();
  await expect(box(page, 'Functional')).toBeFocused();
  await expect(box(page, 'Analytics')).not.toBeChecked();
  expect(await stored(page)).toBeNull();
  await box(page, 'Analytics').check();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Customize')).toBeFocused();
  expect(await stored(page)).toBeNull();
  await button(page, 'Customize').click();
  await expect(box(page, 'Analytics')).not.toBeChecked();
  await box(page, 'Functional').uncheck();
  await box(page, 'Analytics').check();
  await button(page, 'Save Preferences').click();
  await expect(banner(page)).toBeHidden();
  expect(await stored(page)).toMatchObject({ essential: true, functional: false, analytics: true });
  await expect(page.getByText('Cookie preferences saved.')).toBeVisible();
});

test('it is reachable by keyboard alone, and Escape leaves its second view', async ({ page }) => {
  for (const path of ['/', '/chat']) {
    await openWithBanner(page, path);
    // Starts at the top of the page, wherever the page has put the focus.
    await page.locator('.skip-link').focus();
    for (const name of ['Cookie Policy', 'Privacy Policy']) {
      await page.keyboard.press('Tab');
      await expect(banner(page).getByRole('link', { name })).toBeFocused();
    }
    for (const name of ['Accept All', 'Reject non-essential', 'Customize']) {
      await page.keyboard.press('Tab');
      await expect(button(page, name)).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await expect(box(page, 'Functional')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button(page, 'Customize')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(box(page, 'Analytics')).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(banner(page)).toBeHidden();
    expect(await stored(page)).toMatchObject({ functional: false, analytics: true });
    await page.evaluate(() => localStorage.clear());
  }
});

test('it covers neither the message box nor the main buttons on phones @soak', async ({ page }) => {
  for (const [width, height] of [
    [390, 844],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openWithBanner(page, '/');
    expect(await areSeparate(banner(page), page.getByRole('main').locator('.btn-primary').first())).toBe(
      true,
    );
    await openWithBanner(page, '/sign-in');
    const signInControls = page.getByRole('main').locator('a.btn, input[type=email]');
    await expect(signInControls).toHaveCount(3);
    for (const control of await signInControls.all())
      expect(await areSeparate(banner(page), control)).toBe(true);
    await openWithBanner(page, '/chat');
    const form = page.locator('main form').filter({ has: composer(page) });
    expect(await areSeparate(banner(page), form)).toBe(true);
    await composer(page).click();
    await button(page, 'Customize').click();
    expect(await areSeparate(banner(page), form)).toBe(true);
    await composer(page).fill('line\n'.repeat(6));
    await composer(page).click();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

test('links reopen it with the stored choice, and then get the focus back @soak', async ({ page }) => {
  await openWithBanner(page, '/cookies');
  await button(page, 'Accept All').click();
  const manage = page.getByRole('button', { name: 'Manage Cookie Preferences' });
  for (const opener of [manage.first(), manage.last(), page.locator('footer [data-consent-open]')]) {
    await opener.click();
    await expect(box(page, 'Functional')).toBeFocused();
    await expect(box(page, 'Functional')).toBeChecked();
    await expect(box(page, 'Analytics')).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(banner(page)).toBeHidden();
    await expect(opener).toBeFocused();
  }
  await manage.first().click();
  await box(page, 'Analytics').uncheck();
  await button(page, 'Save Preferences').click();
  await expect(manage.first()).toBeFocused();
  expect(await stored(page)).toMatchObject({ functional: true, analytics: false });
});

test('other tabs follow, and a withdrawal clears what a category stored in each', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await openWithBanner(page, '/chat');
  await openWithBanner(other, '/');
  await other.evaluate(() => {
    Object.assign(window, { received: [] });
    document.addEventListener('consent:changed', (event) =>
      (window as unknown as { received: unknown[] }).received.push((event as CustomEvent).detail),
    );
  });
  const received = () => other.evaluate(() => (window as unknown as { received: unknown[] }).received);
  await button(page, 'Accept All').click();
  await expect(banner(other)).toBeHidden();
  await expect.poll(received).toEqual([{ functional: true, analytics: true }]);
  for (const tab of [page, other])
    await tab.evaluate(() => {
      for (const store of [localStorage, sessionStorage])
        for (const key of ['functional:last-chat', 'analytics:visit', 'theme']) store.setItem(key, 'x');
    });
  await other.locator('footer [data-consent-open]').click();
  await box(other, 'Analytics').uncheck();
  await button(other, 'Save Preferences').click();
  const keys = (tab: Page) =>
    tab.evaluate(() => [Object.keys(localStorage).sort(), Object.keys(sessionStorage).sort()]);
  const keysWithout = (...removed: string[]) => {
    const remaining = ['functional:last-chat', 'analytics:visit', 'theme'].filter(
      (key) => !removed.includes(key),
    );
    return [[...remaining, consentKey].sort(), remaining.sort()];
  };
  for (const tab of [page, other]) await expect.poll(() => keys(tab)).toEqual(keysWithout('analytics:visit'));
  await other.locator('footer [data-consent-open]').click();
  await box(other, 'Functional').uncheck();
  await button(other, 'Save Preferences').click();
  for (const tab of [page, other])
    await expect.poll(() => keys(tab)).toEqual(keysWithout('analytics:visit', 'functional:last-chat'));
});

test('it appears again after 12 months and for new categories, and previous consent is dropped', async ({
  page,
}) => {
  await openWithBanner(page, '/');
  await button(page, 'Accept All').click();
  const choice = JSON.stringify(await stored(page));
  const old = choice.replace('2026-11-21', '2025-11-20');
  const other = choice.replace('"version":1', '"version":0');
  expect(new Set([choice, old, other]).size).toBe(3);
  for (const value of [old, other, '{"functional":true}', 'nonsense']) {
    await page.evaluate(
      ([key = '', text = '']) => {
        localStorage.setItem(key, text);
        localStorage.setItem('functional:x', '1');
      },
      [consentKey, value],
    );
    await openWithBanner(page, '/');
    expect(await page.evaluate(() => localStorage.getItem('functional:x'))).toBeNull();
  }
});

test('Global Privacy Control keeps analytics off, and the banner says so', async ({ page, context }) => {
  const other = await context.newPage();
  await openWithBanner(other, '/');
  await expect(banner(other).getByText('Global Privacy Control').first()).toBeHidden();
  await other.close();
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
  });
  await openWithBanner(page, '/');
  await expect(banner(page).getByText('Global Privacy Control').first()).toBeVisible();
  await button(page, 'Customize').click();
  await expect(box(page, 'Analytics')).toBeDisabled();
  await expect(box(page, 'Analytics')).not.toBeChecked();
  await button(page, 'Cancel').click();
  await button(page, 'Accept All').click();
  expect(await stored(page)).toMatchObject({ functional: true, analytics: false });
});

test('a browser without storage is not asked, and the page works @soak', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  });
  await openPaused(page, '/cookies');
  await page.clock.runFor(5000);
  await expect(banner(page)).toBeHidden();
  await page.getByRole('button', { name: 'Manage Cookie Preferences' }).first().click();
  await button(page, 'Save Preferences').click();
  await expect(banner(page)).toBeHidden();
});

test('with any answer, nothing else is stored, and no page contacts a third party', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const { pages } = await siteRoutes();
  const paths = pages.map((path) => path.replace('/*', '/nothing').replace(/\/:\w+\?/, ''));
  expect(paths).toEqual(expect.arrayContaining(['/', '/chat', '/sign-in', '/privacy', '/cookies']));
  const origins = new Set<string>();
  context.on('request', (request) => origins.add(new URL(request.url()).origin));
  await openWithBanner(page, '/');
  expect(await storedItems(page, context)).toEqual(nothing);
  const answers = ['no answer', 'Accept All', 'Reject non-essential', 'Save Preferences'];
  for (const [at, answer] of answers.entries()) {
    if (answer === 'Save Preferences') await button(page, 'Customize').click();
    if (answer !== 'no answer') await button(page, answer).click();
    const expected = answer === 'no answer' ? nothing : { ...nothing, local: [consentKey] };
    // Each of the four answers is tested on an eighth of the pages; the soak tests all pages with each.
    for (const path of paths.filter((_, place) => soak || place % 8 === 2 * at)) {
      await page.goto(path, { waitUntil: 'load' });
      await page.clock.runFor(3000);
      expect(await storedItems(page, context), `${answer}, ${path}`).toEqual(expected);
    }
    await page.evaluate(() => localStorage.clear());
    if (at < answers.length - 1) await openWithBanner(page, '/');
  }
  expect([...origins]).toEqual([new URL(server.url).origin]);
  // Removes errors of missing pages and used links.
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/status of 4(00|04|10)/.test(text)),
  );
});

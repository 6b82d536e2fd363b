import type { Page } from '@playwright/test';
import { foreignTargets } from '../support/foreign-targets.ts';
import { expect, sendMessage, signInAs, signInByCode, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { soak } from '../support/soak.ts';
import { newAddress } from '../support/visitor.ts';

/** Where a paused clock starts. */
const start = Date.parse('2026-11-21T10:00:00Z');
/** Address of the provider's payment page. */
const checkout = /\/creem\/pay\/ch_\w+$/;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });

async function openDialog(page: Page, path = '/') {
  await page.goto(path);
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await expect(dialog(page)).toBeVisible();
  return dialog(page);
}

test.describe('the sign-in dialog', () => {
  test('sends the link by Enter, confirms it in green, and closes after two seconds', async ({
    page,
    server,
  }) => {
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 60_000);
    const box = await openDialog(page);
    const send = box.getByRole('button', { name: 'Send Magic Link' });
    await expect(send).toBeDisabled();
    await box.getByLabel('Email').fill('   ');
    await expect(send).toBeDisabled();
    const address = newAddress();
    await box.getByLabel('Email').fill(address);
    await expect(send).toBeEnabled();
    await box.getByLabel('Email').press('Enter');
    const confirmation = box.getByText('Magic link sent! Check your email.');
    await expect(confirmation).toBeVisible();
    await expect(confirmation).toHaveClass(/notice-success/);
    await expect(box.getByText(`Sent to ${address}.`)).toBeVisible();
    const again = box.getByRole('button', { name: /Resend in \d+ s/ });
    await expect(again).toBeDisabled();
    await page.clock.runFor(1_500);
    await expect(box).toBeVisible();
    await page.clock.runFor(600);
    await expect(box).toBeHidden();
    await page.getByRole('button', { name: 'Enter the code' }).click();
    await page.clock.runFor(30_000);
    await box.getByRole('button', { name: 'Resend' }).click();
    const { code } = await mailTo(server, address, 2);
    await box.getByLabel('6-digit code').fill(code);
    await box.getByRole('button', { name: 'Sign in with code' }).click();
    await expect(page.getByText(/^Signed in as/)).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
  });

  test('shows errors in red, and keeps the typed text', async ({ page, browserErrors }) => {
    const box = await openDialog(page);
    await box.getByLabel('Email').fill('nobody@nowhere');
    await box.getByLabel('Email').press('Enter');
    await expect(box.getByRole('alert')).toHaveText('Enter a valid email address.');
    await expect(box.getByRole('alert')).toHaveClass(/notice-danger/);
    await page.route('**/api/sign-in/email', (route) => route.abort());
    await box.getByLabel('Email').fill(newAddress());
    await box.getByLabel('Email').press('Enter');
    await expect(box.getByRole('alert')).toHaveText('Failed to send email, please try again');
    await expect(box.getByLabel('Email')).not.toHaveValue('');
    browserErrors.length = 0;
  });

  test('works by keyboard, and returns the focus', async ({ page }) => {
    await page.goto('/');
    const opener = page.getByRole('link', { name: 'Sign In' }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('Email')).toBeFocused();
    const hasFocusInside = () => page.evaluate(() => document.activeElement?.closest('#sign-in') !== null);
    const reached = new Set<string>();
    for (let steps = 0; steps < 20; steps += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
      if (await hasFocusInside()) reached.add(name);
    }
    for (const name of ['Continue with Google', 'Continue with GitHub', 'Sign In & Subscribe'])
      expect([...reached]).toContain(name);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test.describe('sign-in navigation', () => {
  test('a page that does not exist is not returned to @soak', async ({ page, server, browserErrors }) => {
    await openDialog(page, '/nothing-here');
    await signInByCode(page, server, newAddress());
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page.getByText(/^Signed in as/)).toBeVisible();
    browserErrors.length = 0;
  });

  test('any other page is returned to, with a greeting @soak', async ({ page, server }) => {
    await openDialog(page, '/terms');
    await signInByCode(page, server, newAddress());
    await expect(page).toHaveURL(`${server.url}/terms`);
    await expect(page.getByText(/^Signed in as/)).toBeVisible();
  });

  test('the plan that was chosen last applies @soak', async ({ page }) => {
    const box = await openDialog(page);
    await box.getByRole('button', { name: 'Sign In & Subscribe' }).click();
    await expect(box.getByText('Choose how to sign in.')).toBeVisible();
    await box.getByText('3 Months').click();
    const requested = page.waitForRequest('**/api/auth/google');
    await box.getByRole('button', { name: 'Continue with Google' }).click();
    expect((await requested).postDataJSON()).toEqual({
      next: '/auth/callback?subscribe=true&plan=quarterly',
    });
  });

  test('the code can be typed on any page of the tab, and leads to the plan it was requested for', async ({
    page,
    server,
  }) => {
    const box = await openDialog(page);
    const address = newAddress();
    await box.getByLabel('Email').fill(address);
    await box.getByText('1 Month').click();
    await box.getByRole('button', { name: 'Sign In & Subscribe' }).click();
    await expect(box.getByText(`Sent to ${address}.`)).toBeVisible();
    await openDialog(page, '/privacy');
    await expect(box.getByLabel('Email')).toHaveValue(address);
    const { code } = await mailTo(server, address);
    await box.getByLabel('6-digit code').fill(code);
    await box.getByRole('button', { name: 'Sign in with code' }).click();
    await expect(page).toHaveURL(checkout);
    await page.goBack();
    await expect(page).toHaveURL(/\/pricing/);
    await expect(page.getByText('Payment Cancelled')).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('sign-in-mail'))).toBeNull();
  });

  test('Change address discards the code of the first address @soak', async ({ page }) => {
    const box = await openDialog(page);
    await box.getByLabel('Email').fill(newAddress());
    await box.getByLabel('Email').press('Enter');
    await box.getByLabel('6-digit code').fill('12');
    await box.getByRole('button', { name: 'Change email' }).click();
    await expect(box.getByLabel('6-digit code')).toBeHidden();
    await expect(box.getByLabel('Email')).toBeFocused();
  });

  test('on the sign-in page the header focuses the page’s own fields, which keep the target @soak', async ({
    page,
  }) => {
    await page.goto('/sign-in?next=/settings');
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    await expect(page.locator('#sign-in-email')).toBeFocused();
    await expect(dialog(page)).toBeHidden();
  });

  test('a tab that shows the response to a form follows without sending it again @soak', async ({
    page,
    context,
    server,
  }) => {
    const address = newAddress();
    await page.goto('/sign-in');
    await page.locator('#sign-in-email').fill(address);
    await page.locator('#sign-in-email').press('Enter');
    await expect(page.getByText('Magic link sent! Check your email.')).toBeVisible();
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    const other = await context.newPage();
    await other.goto((await mailTo(server, address)).link);
    await other.getByRole('button', { name: /Sign in as/ }).click();
    await expect(other.getByText(/^Signed in as/)).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/`);
    expect(posts).toEqual([]);
  });
});

test('pages work where the browser forbids storage @soak', async ({ page, context, server }) => {
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Storage is forbidden.', 'SecurityError');
        },
      });
  });
  await page.goto('/chat');
  await sendMessage(page, 'Is anybody there? [[tps:200]]');
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeVisible();
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, 'Is anybody there? [[tps:200]]');
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  for (const path of ['/tools/writer', '/tools/image', '/settings']) {
    await page.goto(path);
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
    );
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Error 500')).toHaveCount(0);
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.locator('#user-menu').getByText('@example.com')).toBeVisible();
});

test.describe('the error page', () => {
  test('copies its details and confirms it for two seconds @soak', async ({ page, context, server }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 60_000);
    const query = 'error=access_denied&code=17&description=No+thanks&from=auth_callback';
    await page.goto(`/error?${query}&token=secret#fragment`);
    await page.getByRole('button', { name: 'Copy Details' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({
      error: { error: 'access_denied', code: '17', description: 'No thanks', from: 'auth_callback' },
      url: `${server.url}/error`,
    });
    expect(JSON.stringify(copied)).not.toMatch(/secret|fragment/);
    expect(copied.userAgent).toContain('Chrome');
    expect(Date.parse(copied.timestamp)).toBeGreaterThan(0);
    await page.clock.runFor(1_900);
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.getByRole('button', { name: 'Copy Details' })).toBeVisible();
  });

  test('its links lead to the chat, home and back @soak', async ({ page, server }) => {
    await page.goto('/sign-in');
    await page.goto('/error?error=server_error');
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page).toHaveURL(`${server.url}/sign-in`);
    await page.goto('/error');
    await page.getByRole('link', { name: 'Go Home' }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    await page.goto('/error');
    await page.getByRole('link', { name: 'Try Again' }).click();
    await expect(page).toHaveURL(/\/chat/);
  });

  test('X-A9: hostile text runs nothing and requests nothing', async ({ page, server }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const text = '<img src=http://evil.test/x onerror=alert(1)><script>alert(2)</script>';
    await page.goto(
      `/error?${new URLSearchParams({ error: text, description: text, from: 'javascript:alert(3)', code: 'c'.repeat(10_000) })}`,
    );
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Error');
    expect(requested.filter((url) => !url.startsWith(server.url))).toEqual([]);
    expect(requested.filter((url) => url.includes('csp-reports'))).toEqual([]);
  });
});

test('the callback continues by itself, and is never a page to return to @soak', async ({
  page,
  context,
  server,
}) => {
  await page.goto('/sign-in');
  await signInAs(context, server);
  await page.goto('/auth/callback');
  await expect(page.getByText(/^Signed in as/)).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goBack();
  await expect(page).not.toHaveURL(/callback/);
});

test('X-A7: hostile targets end on our own pages', async ({ page, context, server }) => {
  await signInAs(context, server);
  // HTTP tests send all of these to the server; this one checks how the browser parses them.
  const targets = ['/\\evil.test', '/\t/evil.test', 'https:evil.test', '/..//evil.test'];
  for (const next of soak ? foreignTargets(server.url) : targets) {
    for (const path of ['/auth/callback', '/sign-in']) {
      await page.goto(`${path}?next=${encodeURIComponent(next)}`);
      await expect(page).toHaveURL(`${server.url}/`);
    }
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the drawer contains the links and closes by Escape, a press outside and its button', async ({
    page,
  }) => {
    await page.goto('/');
    const opener = page.getByRole('button', { name: 'Menu', exact: true });
    const drawer = page.locator('#site-drawer');
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.touchscreen.tap(4, 400),
      () => page.getByRole('button', { name: 'Close menu' }).click(),
    ]) {
      await opener.click();
      await expect(drawer).toBeVisible();
      await close();
      await expect(drawer).toBeHidden();
    }
    await opener.click();
    await drawer.getByRole('link', { name: 'Chat' }).click();
    await expect(page).toHaveURL(/\/chat/);
  });

  test('the drawer traps the keyboard focus, and returns it @soak', async ({ page }) => {
    await page.goto('/');
    const opener = page.getByRole('button', { name: 'Menu', exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    const inDrawer = () => page.evaluate(() => document.activeElement?.closest('#site-drawer') !== null);
    await expect.poll(inDrawer).toBe(true);
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.closest('main, footer, .site-nav'));
      expect(focused).toBeNull();
    }
    await page.mouse.move(100, 400);
    await page.mouse.wheel(0, 600);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await opener.click();
    await page.locator('#site-drawer').getByRole('link', { name: 'Sign In' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    await page.getByRole('button', { name: 'Start a chat' }).first().click();
    await expect(page).toHaveURL(/\/chat/);
  });

  test('the dialog fills the screen @soak', async ({ page }) => {
    const box = await openDialog(page);
    await expect.poll(() => box.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  });
});

test.describe('a toast', () => {
  const showToast = (page: Page, text: string) =>
    page.evaluate((message) => {
      document.dispatchEvent(new CustomEvent('toast', { detail: { text: message } }));
    }, text);

  test('is shown one at a time, for four seconds, and waits while it is read @soak', async ({ page }) => {
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 60_000);
    await page.goto('/');
    await showToast(page, 'The first');
    await showToast(page, 'The second');
    await expect(page.locator('.toast')).toHaveCount(1);
    await expect(page.getByText('The second')).toBeVisible();
    await page.clock.runFor(3_900);
    await expect(page.getByText('The second')).toBeVisible();
    await page.keyboard.press('F6');
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeFocused();
    await page.clock.runFor(10_000);
    await expect(page.getByText('The second')).toBeVisible();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.runFor(200);
    await expect(page.locator('.toast')).toHaveCount(0);
    await showToast(page, 'The third');
    await page.getByText('The third').hover();
    await page.clock.runFor(9_000);
    await expect(page.getByText('The third')).toBeVisible();
    await page.mouse.move(5, 5);
    await page.clock.runFor(4_100);
    await expect(page.locator('.toast')).toHaveCount(0);
  });

  test('is in the header of a wide page, between its links and the account @soak', async ({ page }) => {
    await page.goto('/pricing');
    await showToast(page, 'Signed in as Ada');
    const edges = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
    const toastBox = await edges('.toast');
    expect(toastBox.bottom).toBeLessThanOrEqual((await edges('#site-header')).bottom);
    const links = await page
      .locator('#site-header a, #site-header button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const overlapping = links.filter(({ left, right }) => left < toastBox.right && right > toastBox.left);
    expect(overlapping.filter(({ width }) => width > 0)).toEqual([]);
  });
});

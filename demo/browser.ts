import process from 'node:process';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { consentKey, consentVersion } from '#shared/consent.ts';
import { chromiumPath } from '#tests/support/chromium.ts';
import type { Member } from './member.ts';
import type { DemoSite } from './site.ts';

export interface View {
  width: number;
  height: number;
  theme: 'light' | 'dark';
  touch: boolean;
}

export async function openBrowser(): Promise<Browser> {
  const { executablePath, env, args } = await chromiumPath();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    args,
  });
}

/** A browser of somebody signed in, who has answered the question about cookies, at a time that stands still. */
export async function contextOf(
  browser: Browser,
  site: DemoSite,
  member: Member,
  { width, height, theme, touch }: View,
  now: Date,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width, height },
    deviceScaleFactor: 2,
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: touch,
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  await context.clock.setFixedTime(now);
  const [name = '', value = ''] = member.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: 'Lax' }]);
  const choice = {
    essential: true,
    functional: false,
    analytics: false,
    timestamp: now.toISOString(),
    version: consentVersion,
  };
  await context.addInitScript(
    ([key = '', stored = '']) => localStorage.setItem(key, stored),
    [consentKey, JSON.stringify(choice)],
  );
  return context;
}

/** Waits until nothing comes any more, then takes away what is only there for who works with the page. */
export async function calm(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  for (const close of await page.locator('#toasts button').all()) await close.click();
  await page.locator('#toasts > *').waitFor({ state: 'detached' });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
}

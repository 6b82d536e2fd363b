import puppeteer from 'puppeteer-core';
import { findProgram, type Tab } from './browser.ts';

export const firefoxPath = findProgram('firefox-esr', 'firefox');

/** Opens headless Firefox over WebDriver BiDi. */
export async function openFirefox(width: number, height: number): Promise<Tab> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath ?? '',
    headless: true,
    defaultViewport: { width, height },
    // No requests leave the machine.
    extraPrefsFirefox: { 'network.proxy.type': 0, 'app.update.enabled': false },
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    url: async () => page.url(),
    evaluate: (expression) => page.evaluate(expression) as never,
    press: (selector) => page.click(selector),
    type: (text) => page.keyboard.type(text),
    key: (name) => page.keyboard.press(name),
    choose: async (selector, file) => {
      const field = await page.$(selector);
      await (field as Awaited<ReturnType<typeof page.$<'input'>>>)?.uploadFile(file);
    },
    setCookie: async ({ name, value, url }) => {
      await browser.setCookie({ name, value, domain: new URL(url).hostname, path: '/', httpOnly: true });
    },
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}

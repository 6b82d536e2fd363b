import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { createServer } from 'node:net';
import { Builder, By, Capabilities, Key, type WebDriver } from 'selenium-webdriver';
import { eventually } from '../support/server.ts';
import { findProgram, type Tab } from './browser.ts';

const driverPath = findProgram('WebKitWebDriver');
const browserPath = globSync('/usr/lib/*/webkit2gtk-4*/MiniBrowser').at(-1);
const screenPath = findProgram('Xvfb');

export const webkitPath = driverPath && screenPath && browserPath;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens WebKitGTK's MiniBrowser over WebDriver on a virtual screen, because it has no headless mode. */
export async function openWebkit(width: number, height: number): Promise<Tab> {
  const screen = spawn(screenPath ?? '', ['-displayfd', '1', '-screen', '0', '1600x1200x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await new Promise<string>((resolve) =>
    screen.stdout.once('data', (data) => resolve(`:${String(data).trim()}`)),
  );
  const port = await freePort();
  const driver = spawn(driverPath ?? '', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
  });
  const server = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${server}/status`).catch(() => undefined))?.ok);
  const end = () => {
    driver.kill();
    screen.kill();
  };
  const browser: WebDriver = await new Builder()
    .usingServer(server)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
      }),
    )
    .build();
  await browser.manage().window().setRect({ width, height });
  const keys = { Enter: Key.ENTER, Escape: Key.ESCAPE };
  const send = (text: string) => browser.actions().sendKeys(text).perform();
  return {
    open: (url) => browser.get(url),
    url: () => browser.getCurrentUrl(),
    evaluate: (expression) => browser.executeScript(`return (${expression})`),
    press: (selector) => browser.findElement(By.css(selector)).click(),
    type: send,
    key: (name) => send(keys[name]),
    choose: (selector, file) => browser.findElement(By.css(selector)).sendKeys(file),
    setCookie: async ({ name, value, url }) => {
      await browser.get(url);
      await browser.manage().addCookie({ name, value, path: '/', httpOnly: true });
    },
    screenshot: async () => Buffer.from(await browser.takeScreenshot(), 'base64'),
    close: async () => {
      await browser.quit().catch(() => undefined);
      end();
    },
  };
}

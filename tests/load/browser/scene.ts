import process from 'node:process';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../../support/chromium.ts';
import { createPerson, type Person } from '../../support/people.ts';
import type { TestServer } from '../../support/server.ts';

/** A browser with one page, and the person who is signed in there. */
export interface Scene {
  page: Page;
  cdp: CDPSession;
  server: TestServer;
  person: Person;
}

/** What was measured, and what it should be. */
export interface Figure {
  what: string;
  measured: string;
  aim: string;
}

export const figure = (what: string, measured: string | number, aim: string): Figure => ({
  what,
  measured: String(measured),
  aim,
});

/** Opens a browser for a paying person and closes it after the work. */
export async function withScene<T>(server: TestServer, work: (scene: Scene) => Promise<T>): Promise<T> {
  const { executablePath, env, args } = await chromiumPath();
  const browser: Browser = await chromium.launch({
    executablePath,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const person = await createPerson(server, { plan: 'pro' });
    const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    // Counted in the page's own time: what else the machine does is not in it.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return await work({ page, cdp, server, person });
  } finally {
    await browser.close();
  }
}

/** One of the browser's own counters: seconds of its main thread's own time in TaskDuration and ScriptDuration, bytes of JSHeapUsedSize, Nodes. */
export async function counter({ cdp }: Pick<Scene, 'cdp'>, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
}

interface Seen {
  frames: number;
  late: number;
  stop: boolean;
}

/** Begins to count the frames of the page, and those that come late. */
export const watchFrames = (page: Page) =>
  page.evaluate(() => {
    const seen: Seen = { frames: 0, late: 0, stop: false };
    Object.assign(window, { seen });
    let last = performance.now();
    const frame = (now: number) => {
      seen.frames++;
      if (now - last > 34) seen.late++;
      last = now;
      if (!seen.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

/** What was seen since `watchFrames`, which ends with it. */
export const framesSeen = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const { seen } = window as unknown as { seen: Seen };
    seen.stop = true;
    return seen;
  });

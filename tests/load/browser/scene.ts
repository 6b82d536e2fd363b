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

/** A measurement and its target. */
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

/** Opens a browser for a person with Pro, and closes it after the work. */
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
    // Counts the thread's CPU time, which excludes the machine's other work.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return await work({ page, cdp, server, person });
  } finally {
    await browser.close();
  }
}

/**
 * Returns one of the browser's counters: main thread CPU seconds (TaskDuration, ScriptDuration), bytes
 * (JSHeapUsedSize), or a number (Nodes).
 */
export async function counter({ cdp }: Pick<Scene, 'cdp'>, name: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
}

interface Seen {
  frames: number;
  late: number;
  stop: boolean;
}

/** Starts counting the page's frames and those that are late. */
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

/** Returns the counts since `watchFrames`, and stops counting. */
export const framesSeen = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const { seen } = window as unknown as { seen: Seen };
    seen.stop = true;
    return seen;
  });

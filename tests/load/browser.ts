import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { quantile, round } from './process.ts';

interface Scene {
  page: Page;
  cdp: CDPSession;
  context: BrowserContext;
}

const hydrated = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('main textarea') ?? {}).some((key) => key.startsWith('__reactProps')),
  );

/** Bodies of the scripts of the first load of /chat, as they come over the wire. */
async function scriptBytes({ page, cdp }: Scene, url: string): Promise<number> {
  const scripts = new Set<string>();
  let bytes = 0;
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  cdp.on('Network.responseReceived', (event) => {
    if (event.type === 'Script') scripts.add(event.requestId);
  });
  cdp.on('Network.dataReceived', (event) => {
    if (scripts.has(event.requestId)) bytes += event.encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await cdp.send('Network.disable');
  return bytes;
}

/** Blocking time after the first paint at a fourth of the CPU: what long tasks take beyond 50 ms each. */
async function blockingMs({ page, cdp }: Scene, url: string): Promise<number> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const runs: number[] = [];
  for (let i = 0; i < 5; i++) {
    await page.addInitScript(() => {
      const seen: number[] = [];
      Object.assign(window, { longTasks: seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.push(entry.startTime, entry.duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    await hydrated(page);
    runs.push(
      await page.evaluate(() => {
        const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
        const tasks = (window as unknown as { longTasks: number[] }).longTasks;
        let sum = 0;
        for (let n = 0; n < tasks.length; n += 2) {
          const [start = 0, duration = 0] = [tasks[n], tasks[n + 1]];
          if (start + duration > painted) sum += Math.max(0, duration - 50);
        }
        return sum;
      }),
    );
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return quantile(runs, 0.5);
}

/** Milliseconds from Enter to the frame after the first token stands in the page, in a new chat. */
async function enterToPaint(page: Page, base: string): Promise<number> {
  await page.goto(`${base}/chat/new`);
  await hydrated(page);
  await page.locator('main textarea').fill('paint [[answer:lorem]] [[tokens:3]] [[tps:10]] [[first:0]]');
  await page.evaluate(() => {
    const painted = new Promise<number>((resolve) => {
      let pressed = 0;
      document.addEventListener('keydown', () => (pressed = performance.now()), {
        capture: true,
        once: true,
      });
      const watch = new MutationObserver(() => {
        if (!document.querySelector('main')?.textContent?.includes('w0001')) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
      });
      watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    Object.assign(window, { painted });
  });
  await page.keyboard.press('Enter');
  return page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}

async function taskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** A long reply at 100 tokens a second: share of the main thread, long tasks, late frames. */
async function longReply({ page, cdp }: Scene, base: string) {
  await page.goto(`${base}/chat/new`);
  await hydrated(page);
  await cdp.send('Performance.enable');
  await page.evaluate(() => {
    const seen = { tasks: 0, frames: 0, late: 0, stop: false };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      seen.tasks += list.getEntries().length;
    }).observe({ type: 'longtask' });
    let last = performance.now();
    const frame = (now: number) => {
      seen.frames++;
      if (now - last > 34) seen.late++;
      last = now;
      if (!seen.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const [before, startedAt] = [await taskSeconds(cdp), performance.now()];
  await page.locator('main textarea').fill('long [[answer:lorem]] [[tokens:1200]] [[tps:100]] [[first:0]]');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Regenerate' }).first().waitFor({ timeout: 60_000 });
  const [busy, wall] = [(await taskSeconds(cdp)) - before, (performance.now() - startedAt) / 1000];
  const seen = await page.evaluate(() => {
    const state = (
      window as unknown as { seen: { tasks: number; frames: number; late: number; stop: boolean } }
    ).seen;
    state.stop = true;
    return state;
  });
  return {
    'main thread busy %': round((busy / wall) * 100),
    'tasks over 50 ms': seen.tasks,
    'late frames %': round((seen.late / seen.frames) * 100, 2),
  };
}

/** Writes a chat of many messages and opens it cold; until its last reply is painted. */
async function openLongChat(page: Page, server: TestServer, person: Person, count: number): Promise<number> {
  const chat = randomUUID();
  await server.database.query(`insert into chat_sessions (id, user_id, title) values ($1, $2, 'Long')`, [
    chat,
    person.id,
  ]);
  let parent: string | null = null;
  for (let i = 0; i < count; i++) {
    const [id, reply] = [randomUUID(), i % 2 === 1];
    const generation = reply ? randomUUID() : null;
    const text = `## Part ${i}\n\nA paragraph of a usual length that says **something** and then a little more of it.\n\n- one\n- two\n\n\`\`\`ts\nconst x = ${i};\n\`\`\`\n`;
    if (generation) {
      await server.database.query(
        `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text, finish_reason, finished_at)
         values ($1, $2, 'chat', 'done', true, $1::uuid::text, '', 0, 'load', $3, 'stop', now())`,
        [generation, person.id, text],
      );
    }
    await server.database.query(
      'insert into chat_messages (id, session_id, parent_id, role, content, generation_id) values ($1, $2, $3, $4, $5, $6)',
      [id, chat, parent, reply ? 'assistant' : 'user', text, generation],
    );
    parent = id;
  }
  const runs: number[] = [];
  for (let i = 0; i < 5; i++) {
    await page.goto('about:blank');
    await page.goto(`${server.url}/chat/${chat}`);
    await page
      .getByText(`Part ${count - 1}`)
      .first()
      .waitFor();
    runs.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    );
  }
  return quantile(runs, 0.5);
}

/** What a person feels: bytes, blocking, the first token, a long reply, a long chat. */
export async function browserFigures(server: TestServer) {
  const { executablePath, env, args } = await chromiumPath();
  const browser = await chromium.launch({
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
    const scene = { page, context, cdp: await context.newCDPSession(page) };
    const bytes = await scriptBytes(scene, `${server.url}/chat/new`);
    const blocking = await blockingMs(scene, `${server.url}/chat/new`);
    const paints: number[] = [];
    for (let i = 0; i < 22; i++) {
      const ms = await enterToPaint(page, server.url);
      if (i > 1) paints.push(ms);
    }
    const reply = await longReply(scene, server.url);
    const open = await openLongChat(page, server, person, 500);
    return {
      'script of /chat KB': round(bytes / 1024),
      'blocking ms at 4x': round(blocking, 0),
      'Enter to paint ms, median': round(quantile(paints, 0.5)),
      'Enter to paint ms, p95': round(quantile(paints, 0.95)),
      ...reply,
      'chat of 500 opened ms': round(open, 0),
    };
  } finally {
    await browser.close();
  }
}

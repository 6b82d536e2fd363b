import type { Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * Returns the tasks of the page's main thread during `work`, each in milliseconds of the thread's CPU time, so that the
 * machine's other work is not counted.
 */
export async function tasksOf(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser of its own.');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const mainThreads = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const tasks = traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    name === 'RunTask' &&
    tdur !== undefined &&
    mainThreads.some((main) => main.pid === pid && main.tid === tid)
      ? [tdur / 1000]
      : [],
  );
  if (tasks.length <= 10) throw new Error('The trace holds no tasks of the page.');
  return tasks;
}

/** Milliseconds of CPU time that `slowness` counts as 1: two quiet cores of an AMD EPYC, 2026-11-29. */
const REFERENCE_MS = 18;
const SAMPLES = 21;

/**
 * Returns how many times slower the browser renders here and now than on the machine of the reference, at least 1: a
 * core that shares its circuits with a busy one takes almost twice the CPU time.
 * @param page must not have a page open yet
 */
export async function slowness(page: Page): Promise<number> {
  const tasks = await tasksOf(page, async () => {
    for (let at = 0; at < SAMPLES; at++)
      await page.evaluate(() => {
        const box = document.createElement('div');
        box.innerHTML = '<p>A <b>word</b> of text.</p>'.repeat(1_000);
        document.body.append(box);
        const { height } = box.getBoundingClientRect();
        box.remove();
        return height;
      });
  });
  const measured = tasks.sort((a, b) => b - a)[Math.floor(SAMPLES / 2)] ?? 0;
  return Math.max(1, measured / REFERENCE_MS);
}

export const longestTask = async (page: Page, work: () => Promise<void>): Promise<number> =>
  Math.round(Math.max(...(await tasksOf(page, work))));

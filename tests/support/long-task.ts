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

export const longestTask = async (page: Page, work: () => Promise<void>): Promise<number> =>
  Math.round(Math.max(...(await tasksOf(page, work))));

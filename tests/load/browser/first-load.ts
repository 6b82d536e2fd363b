import { waitForHydration } from '../../support/hydration.ts';
import { quantile, round } from '../process.ts';
import { type Figure, figure, type Scene } from './scene.ts';

/** Returns the bytes of all scripts as transferred, and the number of requests, for the first load of /chat. */
async function measureTransfer(
  { page, cdp }: Scene,
  url: string,
): Promise<{ bytes: number; requests: number }> {
  const scripts = new Set<string>();
  let [bytes, requests] = [0, 0];
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  cdp.on('Network.responseReceived', (event) => {
    requests++;
    if (event.type === 'Script') scripts.add(event.requestId);
  });
  cdp.on('Network.dataReceived', (event) => {
    if (scripts.has(event.requestId)) bytes += event.encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await cdp.send('Network.disable');
  return { bytes, requests };
}

/**
 * At a fourth of the CPU speed, with the cookie banner: largest paint, and blocking time after the first paint (the
 * part of long tasks beyond 50 ms each).
 */
async function slowLoad({ page, cdp }: Scene, url: string): Promise<{ largest: number; blocking: number }> {
  await page.addInitScript(() => {
    const seen = { largest: 0, tasks: [] as number[] };
    Object.assign(window, { slow: seen });
    const watch = (type: string, record: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({ type, buffered: true });
    watch('longtask', ({ startTime, duration }) => seen.tasks.push(startTime, duration));
    watch('largest-contentful-paint', ({ startTime }) => {
      seen.largest = startTime;
    });
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const runs: Array<{ largest: number; blocking: number }> = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(url, { waitUntil: 'networkidle' });
    await waitForHydration(page);
    // The cookie banner may be the largest paint.
    await page.locator('#consent').waitFor();
    await page.screenshot();
    runs.push(
      await page.evaluate(() => {
        const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
        const { largest, tasks } = (window as unknown as { slow: { largest: number; tasks: number[] } }).slow;
        let blocking = 0;
        for (let n = 0; n < tasks.length; n += 2) {
          const [start = 0, duration = 0] = [tasks[n], tasks[n + 1]];
          if (start + duration > firstPaint) blocking += Math.max(0, duration - 50);
        }
        return { largest, blocking };
      }),
    );
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const median = (key: 'largest' | 'blocking') =>
    quantile(
      runs.map((run) => run[key]),
      0.5,
    );
  return { largest: median('largest'), blocking: median('blocking') };
}

/** Measures the first load of an empty chat. */
export async function firstLoad(scene: Scene): Promise<Figure[]> {
  const url = `${scene.server.url}/chat/new`;
  const { bytes, requests } = await measureTransfer(scene, url);
  const { largest, blocking } = await slowLoad(scene, url);
  return [
    figure(
      'script of the first load, brotli; requests',
      `${round(bytes / 1024)} KB; ${requests}`,
      '125 KB; 15',
    ),
    figure('largest paint at 4x CPU throttle', `${round(largest, 0)} ms`, '700 ms'),
    figure('blocking time at 4x CPU throttle', `${round(blocking, 0)} ms`, '0 ms'),
  ];
}

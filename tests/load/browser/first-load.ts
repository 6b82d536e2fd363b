import { alive } from '../../support/alive.ts';
import { quantile, round } from '../process.ts';
import { type Figure, figure, type Scene } from './scene.ts';

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
    await alive(page);
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

/** What it takes to come to an empty chat. */
export async function firstLoad(scene: Scene): Promise<Figure[]> {
  const url = `${scene.server.url}/chat/new`;
  return [
    figure(
      'script of the first load, brotli',
      `${round((await scriptBytes(scene, url)) / 1024)} KB`,
      '140 KB',
    ),
    figure('blocking time at 4x CPU throttle', `${round(await blockingMs(scene, url), 0)} ms`, '100 ms'),
  ];
}

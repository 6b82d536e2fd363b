import { tokensOf } from '../../../standins/gateway/tokens.ts';
import { exchange } from '../../support/exchange.ts';
import { raw } from '../../support/gateway.ts';
import { waitForHydration } from '../../support/hydration.ts';
import { longestTask } from '../../support/long-task.ts';
import { round } from '../process.ts';
import { counter, type Figure, figure, framesSeen, type Scene, watchFrames } from './scene.ts';

/** A reply is limited to 2,000 tokens, so 5,000 tokens take three replies in one chat. */
const replies = 3;
const tokensEach = 1_667;

const part = (at: number) => `### Step ${at}

The function below takes what came before and gives back what the next step needs; it **must not** change its input.

\`\`\`ts
export function step${at}(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + ${at});
  return counts;
}
\`\`\`

- It reads every item once.
- It keeps \`${at}\` as the weight.
`;

/** Returns text with code blocks of at least `tokens` tokens. */
function codeText(tokens: number): string {
  let text = '';
  for (let at = 1; tokensOf(text).length < tokens; at++) text += `${part(at)}\n`;
  return text;
}

/**
 * Counts tasks over 50 ms and late frames for 1,500 tokens with code blocks at 100 a second, at a fourth of the CPU
 * speed.
 */
async function slowReply({ page, cdp }: Scene): Promise<Figure> {
  await page.evaluate(() => {
    const counted = { long: 0 };
    Object.assign(window, { counted });
    new PerformanceObserver((list) => {
      counted.long += list.getEntries().length;
    }).observe({ type: 'longtask' });
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await watchFrames(page);
  await exchange(page, `Write code ${raw(codeText(1_500))} [[tps:100]] [[first:0]]`);
  const { late, frames } = await framesSeen(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const long = await page.evaluate(() => (window as unknown as { counted: { long: number } }).counted.long);
  return figure(
    '1,500 tokens at 100/s at 4x: long tasks, late frames',
    `${long}, ${round((late / frames) * 100, 1)} %`,
    '0, 3 %',
  );
}

/**
 * Measures 5,000 tokens with code blocks at 100 a second: main thread share, late frames, and the last reply's longest
 * task.
 */
export async function longReply(scene: Scene): Promise<Figure[]> {
  const { page, server } = scene;
  await page.goto(`${server.url}/chat/new`);
  await waitForHydration(page);
  const prompt = `Write code ${raw(codeText(tokensEach))} [[tps:100]] [[first:0]]`;
  let [busy, wall] = [0, 0];
  await watchFrames(page);
  for (let i = 1; i < replies; i++) {
    const [before, startedAt] = [await counter(scene, 'TaskDuration'), performance.now()];
    await exchange(page, prompt);
    busy += (await counter(scene, 'TaskDuration')) - before;
    wall += (performance.now() - startedAt) / 1000;
  }
  const { late, frames } = await framesSeen(page);
  // Measured separately, because tracing takes time.
  const longest = await longestTask(page, () => exchange(page, prompt));
  await page.goto(`${server.url}/chat/new`);
  await waitForHydration(page);
  const slow = await slowReply(scene);
  return [
    figure('main thread busy, 5,000 tokens with code at 100/s', `${round((busy / wall) * 100)} %`, '15 %'),
    figure('late frames meanwhile', `${round((late / frames) * 100, 2)} %`, '0.1 %'),
    figure('longest task meanwhile', `${longest} ms`, '50 ms'),
    slow,
  ];
}

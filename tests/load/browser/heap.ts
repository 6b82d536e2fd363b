import { waitForHydration } from '../../support/hydration.ts';
import { type LongChat, writeChat } from '../../support/long-chat.ts';
import { round } from '../process.ts';
import { counter, type Figure, figure, type Scene } from './scene.ts';

/** Returns the page's memory in MB and its number of nodes, after garbage collection. */
async function retained(scene: Scene): Promise<{ mb: number; nodes: number }> {
  await scene.cdp.send('HeapProfiler.collectGarbage');
  return {
    mb: (await counter(scene, 'JSHeapUsedSize')) / 2 ** 20,
    nodes: await counter(scene, 'Nodes'),
  };
}

/** Opens each chat from the sidebar, one after the other, without reloading the page. */
async function openEach({ page }: Scene, chats: LongChat[]): Promise<void> {
  for (const { id, messages } of chats) {
    await page.locator(`a[href="/chat/${id}"]`).click();
    await page.locator(`[data-id="${messages.at(-1)}"]`).waitFor();
  }
}

/** Measures the memory left after opening ten long chats in turn, twice. */
export async function heap(scene: Scene): Promise<Figure[]> {
  const { page, server, person } = scene;
  const chats: LongChat[] = [];
  for (let i = 0; i < 10; i++) chats.push(await writeChat(server, person, 500));
  await page.goto(`${server.url}/chat/new`);
  await waitForHydration(page);
  await openEach(scene, chats.slice(0, 1));
  const one = await retained(scene);
  await openEach(scene, chats.slice(1));
  const ten = await retained(scene);
  await openEach(scene, chats);
  const twenty = await retained(scene);
  const series = (mb: (sample: typeof one) => number) =>
    [one, ten, twenty].map((sample) => round(mb(sample))).join(', ');
  return [
    figure(
      'memory after 1, 10 and 20 long chats opened in turn',
      `${series(({ mb }) => mb)} MB`,
      'no growth',
    ),
    figure(
      'nodes after 1, 10 and 20 of them',
      series(({ nodes }) => nodes),
      'no growth',
    ),
  ];
}

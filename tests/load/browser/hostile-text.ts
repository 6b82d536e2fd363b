import { raw } from '../../support/gateway.ts';
import { writeChat } from '../../support/long-chat.ts';
import { round } from '../process.ts';
import { exchange, type Figure, figure, framesSeen, hydrated, type Scene, watchFrames } from './scene.ts';

const fill = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Texts that are made to be slow to read, of a wanted length. */
const kinds: Record<string, (length: number) => string> = {
  'nested lists': (length) => fill('- > ', length),
  brackets: (length) => fill('[', length),
  'open links': (length) => fill('[a](', length),
  emphasis: (length) => fill('*a **a ', length),
  backticks: (length) => fill('`', length),
  'wide table': (length) => ['|a', '|-', '|a\n'].map((cell) => fill(cell, length / 3)).join('\n'),
  items: (length) => fill('- a\n', length),
  dollars: (length) => fill('$a', length),
  'one line': (length) => fill('word ', length),
};

const longest = (tasks: number[]) => Math.max(0, ...tasks);

/** 40 kB of crafted Markdown: the longest task when such a chat is opened, and while 20 kB of it arrive. */
export async function hostileText(scene: Scene): Promise<Figure[]> {
  const { page, server, person } = scene;
  let opened = { kind: '', ms: 0 };
  await page.goto(`${server.url}/chat/new`);
  await hydrated(page);
  for (const [kind, make] of Object.entries(kinds)) {
    const { id, messages } = await writeChat(server, person, 2, (at) => (at === 0 ? kind : make(40_000)));
    await page.goto(`${server.url}/chat/new`);
    await hydrated(page);
    await watchFrames(page);
    await page.locator(`a[href="/chat/${id}"]`).click();
    await page.locator(`[data-id="${messages[1]}"]`).waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    const ms = longest((await framesSeen(page)).tasks);
    if (ms > opened.ms) opened = { kind, ms };
  }
  let streamed = { kind: '', ms: 0 };
  for (const [kind, make] of Object.entries(kinds)) {
    await page.goto(`${server.url}/chat/new`);
    await hydrated(page);
    await watchFrames(page);
    await exchange(page, `${raw(make(20_000))} [[tps:4000]] [[first:0]]`);
    const ms = longest((await framesSeen(page)).tasks);
    if (ms > streamed.ms) streamed = { kind, ms };
  }
  const said = ({ kind, ms }: typeof opened) => (ms === 0 ? 'under 50 ms' : `${round(ms, 0)} ms (${kind})`);
  return [
    figure('longest task, 40 kB of crafted Markdown opened', said(opened), '200 ms'),
    figure('longest task, 20 kB of it arriving', said(streamed), '50 ms'),
  ];
}

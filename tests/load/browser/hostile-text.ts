import { exchange } from '../../support/exchange.ts';
import { waitForHydration } from '../../support/hydration.ts';
import { writeChat } from '../../support/long-chat.ts';
import { longestTask } from '../../support/long-task.ts';
import { type Figure, figure, type Scene } from './scene.ts';

const size = 40_000;

/** Pieces that are slow to parse, lay out or count when repeated. */
const pieces: Record<string, string> = {
  'nested lists': Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}- a\n`).join(''),
  brackets: '[',
  'open links': '[a](',
  emphasis: '*a **a ',
  backticks: '`',
  items: '- a\n',
  dollars: '$a',
  'one letter': 'a',
};

const textOf = (piece: string) => piece.repeat(Math.ceil(size / piece.length));

/** Makes the gateway send the text in chunks of 200 characters. */
const promptFor = (piece: string) =>
  `[[raw:${Buffer.from(piece).toString('base64')}]] [[times:${Math.ceil(size / piece.length)}]] [[piece:200]] [[tps:100]] [[first:0]]`;

interface Worst {
  kind: string;
  ms: number;
}

const worse = (one: Worst, kind: string, ms: number): Worst => (ms > one.ms ? { kind, ms } : one);

/** Measures the page's longest task, in CPU time, while 40 kB of crafted Markdown arrives and when it is opened. */
export async function hostileText({ page, server, person }: Scene): Promise<Figure[]> {
  let arriving: Worst = { kind: '', ms: 0 };
  let opening: Worst = { kind: '', ms: 0 };
  for (const [kind, piece] of Object.entries(pieces)) {
    await page.goto(`${server.url}/chat/new`);
    await waitForHydration(page);
    arriving = worse(arriving, kind, await longestTask(page, () => exchange(page, promptFor(piece))));
    const { id, messages } = await writeChat(server, person, 2, (at) => (at === 0 ? kind : textOf(piece)));
    await page.goto(`${server.url}/chat/new`);
    await waitForHydration(page);
    const ms = await longestTask(page, async () => {
      await page.locator(`a[href="/chat/${id}"]`).click();
      await page.locator(`[data-id="${messages[1]}"]`).waitFor();
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    });
    opening = worse(opening, kind, ms);
  }
  const format = ({ kind, ms }: Worst) => `${ms} ms (${kind})`;
  return [
    figure('longest task, 40 kB of crafted Markdown arriving', format(arriving), '50 ms'),
    figure('longest task, 40 kB of crafted Markdown opened', format(opening), '200 ms'),
  ];
}

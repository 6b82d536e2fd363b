import type { Page } from '@playwright/test';
import { alive } from '../support/chat-list.ts';
import { composer, expect, say, signInAs, test } from '../support/journey.ts';

const size = 40_000;

/** A text that is said over and over until it has 40 kB, after a beginning. */
interface Case {
  begin?: string;
  piece: string;
}

const cases: Record<string, Case> = {
  quotes: { piece: '> ' },
  'nested lists': { piece: Array.from({ length: 120 }, (_, depth) => `${' '.repeat(depth)}- a\n`).join('') },
  brackets: { piece: '[' },
  'open links': { piece: '[a](' },
  stars: { piece: '*a **a ' },
  backticks: { piece: '` `` a ' },
  'a table of 2,000 columns': { begin: `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n`, piece: '|b|c|\n' },
  '10,000 items': { piece: '- a\n' },
  'loose items': { piece: '- a\n\n' },
  'one line': { piece: 'word ' },
  dollars: { piece: '$a$ $' },
  'display formulas': { piece: '$$x$$\n\n' },
  'long code': { begin: '```js\n', piece: 'const a = "b"; // c\n' },
};

const timesOf = ({ begin = '', piece }: Case) => Math.ceil((size - begin.length) / piece.length);

/** The gateway says the text in 400 pieces. */
function question({ begin = '', piece }: Case): string {
  const raw = begin ? begin + piece.repeat(10_000 / piece.length) : piece;
  const times = begin ? 1 : timesOf({ piece });
  return `[[raw:${Buffer.from(raw).toString('base64')}]] [[times:${times}]] [[piece:100]] [[tps:100]] [[first:0]]`;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of the page's main thread while `work` was done, in milliseconds of that thread's own time: what else
 * the machine does is not counted.
 */
async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser of its own.');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, tdur }) =>
      name === 'RunTask' && tdur !== undefined && mains.some((main) => main.pid === pid && main.tid === tid),
  );
  expect(tasks.length).toBeGreaterThan(10);
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000);
}

test.setTimeout(240_000);

for (const [name, text] of Object.entries(cases))
  test(`40 kB of ${name} hold the page up neither while they arrive nor when they are opened`, async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server, { plan: 'pro' });
    await page.goto('/chat/new');
    await alive(page);
    const arriving = await longestTask(page, async () => {
      await say(page, question(text));
      await expect(page.getByRole('button', { name: 'Stop generating' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible({ timeout: 60_000 });
    });
    const whole = (text.begin ?? '') + text.piece.repeat(timesOf(text));
    await server.database.query(
      `update chat_messages set content = case role when 'user' then 'q' else $2 end where session_id = $1`,
      [page.url().split('/').at(-1), whole],
    );
    const opening = await longestTask(page, async () => {
      await page.reload();
      await alive(page);
      await composer(page).fill('x');
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    });
    console.log(`${name.padEnd(26)} longest task: ${arriving} ms arriving, ${opening} ms opening`);
    expect(arriving).toBeLessThan(200);
    expect(opening).toBeLessThan(400);
  });

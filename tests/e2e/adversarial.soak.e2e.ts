import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { longestTask } from '../support/long-task.ts';

const size = 40_000;

/** A text that starts with `begin` and repeats `piece` up to 40 kB. */
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

/** Prompt that makes the gateway stream the text in 400 pieces. */
function question({ begin = '', piece }: Case): string {
  const raw = begin ? begin + piece.repeat(10_000 / piece.length) : piece;
  const times = begin ? 1 : timesOf({ piece });
  return `[[raw:${Buffer.from(raw).toString('base64')}]] [[times:${times}]] [[piece:100]] [[tps:100]] [[first:0]]`;
}

test.setTimeout(240_000);

for (const [name, text] of Object.entries(cases))
  test(`40 kB of ${name} block the page neither while they arrive nor when they are opened`, async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server, { plan: 'pro' });
    await page.goto('/chat/new');
    await waitForHydration(page);
    const arriving = await longestTask(page, async () => {
      await sendMessage(page, question(text));
      await expect(page.getByRole('button', { name: 'Stop generating' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible({ timeout: 60_000 });
    });
    const fullText = (text.begin ?? '') + text.piece.repeat(timesOf(text));
    await server.database.query(
      `update chat_messages set content = case role when 'user' then 'q' else $2 end where session_id = $1`,
      [page.url().split('/').at(-1), fullText],
    );
    const opening = await longestTask(page, async () => {
      await page.reload();
      await waitForHydration(page);
      await composer(page).fill('x');
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    });
    console.log(`${name.padEnd(26)} longest task: ${arriving} ms arriving, ${opening} ms opening`);
    expect(arriving).toBeLessThan(200);
    expect(opening).toBeLessThan(400);
  });

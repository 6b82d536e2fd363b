import { tokensOf } from '../../standins/gateway/tokens.ts';
import { exchange } from '../support/exchange.ts';
import { raw } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { slowness, tasksOf } from '../support/long-task.ts';

/** The browser's threshold for a long task, in milliseconds, on a machine of normal speed. */
const LONG = 50;
/** Normally there are none; a few tasks may take longer while the machine becomes slower. */
const MOST = 3;

const part = (at: number) => `### Step ${at}

It takes what came before and gives back what the **next** step needs; \`step${at}\` keeps its input.

\`\`\`ts
export const step${at} = (items: readonly string[]) => new Map(items.map((item) => [item, ${at}]));
\`\`\`

- It reads every item once.
`;

function textOf(tokens: number): string {
  let text = '';
  for (let at = 1; tokensOf(text).length < tokens; at++) text += `${part(at)}\n`;
  return text;
}

test('a reply of 1,500 tokens streams below a long chat without long tasks', async ({
  page,
  context,
  server,
}) => {
  const threshold = LONG * (await slowness(page));
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 200);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  const question = `${raw(textOf(1_500))} [[tps:400]] [[first:0]]`;
  const tasks = await tasksOf(page, () => exchange(page, question));
  const long = tasks.filter((time) => time > threshold);
  expect(
    long.length,
    `tasks of ${long.map(Math.round).join(', ')} ms, of ${Math.round(threshold)} allowed`,
  ).toBeLessThanOrEqual(MOST);
});

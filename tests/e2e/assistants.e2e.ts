import { assistants } from '#content/assistants.ts';
import { uniqueWord } from '../support/chat.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import type { TestServer } from '../support/server.ts';

/** Returns the system message of a reply's request, as the gateway got it. */
async function instructionFor(server: TestServer, word: string): Promise<string> {
  const path = `/log?contains=${word}&path=/gateway/v1/chat/completions`;
  const calls = (await (await fetch(`${server.standins}${path}`)).json()) as Array<{
    messages: Array<{ role: string; content: string }>;
    detail: { kind: string } | null;
  }>;
  const replies = calls.filter(({ detail }) => detail?.kind !== 'title');
  expect(replies).toHaveLength(1);
  return replies[0]?.messages.find(({ role }) => role === 'system')?.content ?? '';
}

function entry(id: string) {
  const found = assistants.find((each) => each.id === id) ?? assistants[0];
  const { name, description, starter, prompts } = found;
  return {
    ...found,
    name: name(),
    description: description(),
    starter: starter(),
    prompts: prompts.map((prompt) => prompt()),
  };
}
const chosen = (page: import('@playwright/test').Page) =>
  page.getByRole('navigation', { name: 'Assistant' }).locator('[aria-current]');

test('the chosen assistant answers: its instruction reaches the model, and its name is in the header', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const code = entry('code');
  await page.goto('/chat?assistant=code');
  await expect(chosen(page)).toHaveText(code.name);
  await expect(page.getByText(code.description)).toBeVisible();
  for (const prompt of code.prompts) await expect(page.getByRole('button', { name: prompt })).toBeVisible();
  await expect(composer(page)).toHaveValue(code.starter);
  const [first, second] = [uniqueWord(), uniqueWord()];
  await sendMessage(page, `${first} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  const head = page.locator('.composer');
  await expect(head.getByText(code.name, { exact: true })).toBeVisible();
  expect(await instructionFor(server, first)).toContain(code.instruction);
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  await page.reload();
  await expect(head.getByText(code.name, { exact: true })).toBeVisible();
  await sendMessage(page, `${second} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('This is turn 2 of our conversation')).toBeVisible();
  expect(await instructionFor(server, second)).toContain(code.instruction);

  const third = uniqueWord();
  await page.goto('/chat/new');
  await sendMessage(page, `${third} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  await expect(head.getByText(code.name, { exact: true })).toBeHidden();
  const general = await instructionFor(server, third);
  expect(general).toContain(entry('general').instruction);
  expect(general).not.toContain(code.instruction);
});

test('no page shows an instruction, and an unknown assistant falls back to the general one @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new?assistant=%3Cb%3Enobody');
  await expect(chosen(page)).toHaveText(entry('general').name);
  await expect(composer(page)).toHaveValue('');
  const html = await page.content();
  for (const { instruction } of assistants) expect(html).not.toContain(instruction.slice(0, 40));
  const word = uniqueWord();
  await sendMessage(page, `${word} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  expect(await instructionFor(server, word)).toContain(entry('general').instruction);
});

test('a starter is put into the composer, changes with the assistant, and never replaces typed text @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  const choice = page.getByRole('navigation', { name: 'Assistant' });
  await choice.getByRole('link', { name: 'Business assistant' }).click();
  await expect(composer(page)).toHaveValue(entry('business').starter);
  await choice.getByRole('link', { name: 'Code assistant' }).click();
  await expect(composer(page)).toHaveValue(entry('code').starter);
  await expect(chosen(page)).toHaveText('Code assistant');
  await choice.getByRole('link', { name: 'General assistant' }).click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('my own words');
  await choice.getByRole('link', { name: 'Code assistant' }).click();
  await expect(chosen(page)).toHaveText('Code assistant');
  await expect(composer(page)).toHaveValue('my own words');
  await page.reload();
  await expect(chosen(page)).toHaveText('Code assistant');
  await expect(composer(page)).toHaveValue('my own words');
});

test('the tools link to their pages, each with a price, and the header stays in place @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  const tools = page.getByRole('navigation', { name: 'AI tools', exact: true }).getByRole('link');
  const expected = [
    ['/tools/writer', '1 credit'],
    ['/tools/pdf', 'included in Pro'],
    ['/tools/image', '5 credits'],
    ['/tools/script', 'included in Pro'],
    ['/tools/prompts', 'free'],
  ] as const;
  await expect(tools).toHaveCount(expected.length);
  for (const [index, [path, price]] of expected.entries()) {
    await expect(tools.nth(index)).toHaveAttribute('href', path);
    await expect(tools.nth(index)).toHaveAttribute('title', new RegExp(` · ${price}$`));
  }
  const place = () => page.locator('.chat-head').boundingBox();
  const before = await place();
  await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  expect(await place()).toEqual(before);
});

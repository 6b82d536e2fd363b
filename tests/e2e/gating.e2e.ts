import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { newChat, uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, signInByCode, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import type { TestServer } from '../support/server.ts';
import { transcript } from '../support/transcript.ts';

const conversation = (page: Page) => page.getByRole('region', { name: 'Messages' });
const signIn = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });

/** Signs in with the code of a mail, in the dialog that is open. */
async function signInByDialog(page: Page, server: TestServer, expectedPlan = 'FREE PLAN') {
  const email = `gate-${randomUUID()}@example.com`;
  await signInByCode(page, server, email);
  await expect(page.getByText(expectedPlan)).toBeVisible();
}

/** Removes the expected error statuses from the browser errors. */
const dropErrors = (browserErrors: string[], status: RegExp) =>
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !status.test(text)));

test.describe('a guest', () => {
  test('picks a tool, is asked to sign in with the reason, and returns to it', async ({ page, server }) => {
    await page.goto('/chat');
    await waitForHydration(page);
    const tool = page.getByRole('navigation', { name: 'AI tools', exact: true }).getByRole('link').first();
    await tool.click();
    await expect(signIn(page)).toContainText('Sign in to use AI Writer.');
    await signInByDialog(page, server, '10 credits left');
    await expect(page).toHaveURL(/\/tools\/writer$/);
    await expect(page.getByRole('button', { name: 'Generate · 1 credit' })).toBeVisible();
  });

  test('picks a prompt: it waits in the composer through the sign-in, and is not sent by itself @soak', async ({
    page,
    server,
  }) => {
    await page.goto('/chat/new?assistant=code');
    await waitForHydration(page);
    const prompt = page.getByRole('button', { name: /mutex and a semaphore/ });
    const text = ((await prompt.textContent()) ?? '').trim();
    await prompt.click();
    await expect(signIn(page)).toContainText('Your message is saved. Sign in to send it.');
    await signInByDialog(page, server);
    await expect(composer(page)).toHaveValue(text);
    await expect(conversation(page)).toHaveCount(0);
    await expect(page.getByText('10 credits left')).toBeVisible();
  });

  test('signs in with a draft, and continues in the message box, not on another button @soak', async ({
    page,
    server,
  }) => {
    await page.goto('/chat/new');
    await waitForHydration(page);
    await composer(page).fill('A draft');
    await page.getByRole('region', { name: 'Chats' }).getByRole('button', { name: 'Sign In' }).click();
    await signInByDialog(page, server);
    await expect(composer(page)).toBeFocused();
    await expect(composer(page)).toHaveValue('A draft');
  });
});

test('a notice says once that few credits are left, then that none are; the text stays', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 3 });
  const lowCredits = page.getByRole('dialog', { name: '2 credits left' });
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
  await expect(lowCredits).toBeVisible();
  await expect(lowCredits).toContainText('Enough for 2 more messages.');
  await expect(lowCredits).toContainText('One-time, no renewal');
  await lowCredits.getByRole('button', { name: 'Not now' }).click();
  await expect(lowCredits).toBeHidden();
  await expect(composer(page)).toBeFocused();

  for (const credits of [1, 0]) {
    await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
    await expect(page.locator('.chat-plan')).toContainText(`${credits} credit`);
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
    await page.reload();
  }
  await expect(page.getByText('0 credits left')).toBeVisible();

  await sendMessage(page, 'one more thing');
  const outOfCredits = page.getByRole('dialog', { name: 'You’re out of credits' });
  await expect(outOfCredits).toBeVisible();
  await expect(outOfCredits).toContainText('Your balance0 credits');
  await expect(outOfCredits).toContainText('Per message1 credit');
  await expect(outOfCredits.getByRole('radio')).toHaveCount(5);
  await expect(outOfCredits.getByRole('radio', { name: /100 credits.*4\.99/ })).toBeChecked();
  await expect(outOfCredits).toContainText('Credits you buy don’t expire.');
  await expect(outOfCredits).toContainText('Renews automatically');
  await expect(outOfCredits.getByRole('button')).toHaveText(['', 'Not now', 'Continue to checkout at Creem']);
  // The dialog covers the page, but the typed text is still there.
  await page.keyboard.press('Escape');
  await expect(outOfCredits).toBeHidden();
  await expect(composer(page)).toHaveValue('one more thing');
  await expect(composer(page)).toBeFocused();
  expect(await person.credits()).toBe(0);
  dropErrors(browserErrors, /402/);
});

test('a regeneration that credits do not cover leaves the existing reply, and a notice says so @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 0 });
  const { id } = await writeChat(server, person, 2);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await page.locator('.chat-reply').getByRole('button', { name: 'Regenerate' }).click();
  const outOfCredits = page.getByRole('dialog', { name: 'You’re out of credits' });
  const notice = 'No new reply. The current one is still here.';
  await expect(outOfCredits).toContainText(notice);
  await page.keyboard.press('Escape');
  await expect(conversation(page).getByText('Part 1')).toBeVisible();
  await page.locator('.chat-notice').getByRole('button', { name: 'Purchase more credits' }).click();
  await expect(outOfCredits).toContainText(notice);
  await expect(outOfCredits).not.toContainText('in the box');
  dropErrors(browserErrors, /402/);
});

test('few credits are not announced during a running reply, nor a second time @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { credits: 3 });
  const word = uniqueWord();
  const lowCredits = page.getByRole('dialog', { name: '2 credits left' });
  await page.clock.install();
  await page.goto('/chat/new');
  await sendMessage(page, `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:5]] [[tokens:20]] [[tps:0]]`);
  await expect(transcript(page).getByText('w0005')).toBeVisible();
  await expect(page.locator('.chat-plan')).toContainText('2 credits left');
  await page.clock.runFor(3_000);
  await expect(lowCredits).toBeHidden();
  await release(server, word);
  await expect(transcript(page).getByText('w0020')).toBeVisible();
  await page.clock.runFor(900);
  await expect(lowCredits).toBeHidden();
  await page.clock.runFor(1_200);
  await expect(lowCredits).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await waitForHydration(page);
  await page.clock.runFor(3_000);
  await expect(page.locator('.chat-plan')).toContainText('2 credits left');
  await expect(lowCredits).toBeHidden();
  expect(await person.credits()).toBe(2);
});

test('few credits are announced after another dialog has closed @soak', async ({ page, context, server }) => {
  await signInAs(context, server, { credits: 1 });
  await page.clock.install();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.keyboard.press('ControlOrMeta+/');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toBeVisible();
  await page.clock.runFor(5_000);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await page.clock.runFor(1_200);
  await expect(page.getByRole('dialog', { name: '1 credit left' })).toContainText(
    'Enough for 1 more message.',
  );
});

test.describe('the daily limit', () => {
  test.use({ timezoneId: 'America/Los_Angeles' });

  test('states its reset in local time; existing chats continue @soak', async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    const person = await signInAs(context, server);
    const chats = [await newChat(person), await newChat(person), await newChat(person)];
    await page.goto('/chat/new');
    await sendMessage(page, 'a fourth beginning');
    const dialog = page.getByRole('dialog', { name: 'You’ve started 3 chats today' });
    await expect(dialog).toContainText(/Resets at [45]:00\sPM \(in \d+ (hour|minute)s?\)/);
    await expect(dialog).toContainText('Your balance10 credits');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(composer(page)).toHaveValue('a fourth beginning');
    await page.goto(`/chat/${chats[0]}`);
    await sendMessage(page, 'This one goes on [[tps:0]]');
    await expect(conversation(page).getByText('It seems to be about')).toBeVisible();
    dropErrors(browserErrors, /429/);
  });
});

test('the dialog traps the keyboard focus, and arrow keys change the plan @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 0 });
  await page.goto('/chat/new');
  await sendMessage(page, 'nothing left');
  const dialog = page.getByRole('dialog', { name: 'You’re out of credits' });
  await expect(dialog.getByRole('heading', { name: 'You’re out of credits' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('radio').first()).toBeChecked();
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /3 Months/ })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('link', { name: 'Compare plans' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Not now' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Continue to checkout at Creem' })).toBeFocused();
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab');
    // Between the last and the first element the focus passes through the browser's own controls.
    const inside = await page.evaluate(
      () => document.activeElement === document.body || !!document.activeElement?.closest('dialog[open]'),
    );
    expect(inside).toBe(true);
  }
  await dialog.getByRole('button', { name: 'Not now' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('nothing left');
  expect(await person.credits()).toBe(0);
  dropErrors(browserErrors, /402/);
});

test('Pro sees no notice about credits @soak', async ({ page, context, server }) => {
  await signInAs(context, server, { credits: 2, plan: 'pro' });
  await page.clock.install();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.clock.runFor(3_000);
  await expect(page.getByText('PRO PLAN')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const tool = page.getByRole('navigation', { name: 'AI tools', exact: true }).getByRole('link').first();
  await expect(tool).toHaveAttribute('title', 'AI Writer · included in Pro');
});

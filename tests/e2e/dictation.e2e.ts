import process from 'node:process';
import type { BrowserContext, Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { chromiumPath } from '../support/chromium.ts';
import { control, release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

declare global {
  interface Window {
    /** Audio tracks that were opened. */
    tracks: MediaStreamTrack[];
  }
}

// Chromium's fake microphone plays a tone, which is really recorded.
const { executablePath, env, args } = await chromiumPath();
test.use({
  launchOptions: {
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    args: [...args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
});

let site: TestServer;
test.beforeAll(async () => {
  site = await startTestServer({
    postgres: process.env.TEST_POSTGRES ?? '',
    env: { TRANSCRIPTION_MODEL: 'openai/whisper-1' },
  });
});
test.afterAll(() => site.stop());
test.beforeEach(() => control(site, { reset: true, firstTokenMs: 0 }));

const microphone = (page: Page) => page.getByRole('button', { name: 'Dictate' });
const bar = (page: Page) => page.getByRole('group', { name: 'Dictation' });
const done = (page: Page) => bar(page).getByRole('button', { name: 'Done' });
const announcement = (page: Page) => page.locator('body > [role=status]');
/** Waits for the first second: a recording without audio is refused. */
const recorded = (page: Page) => expect(bar(page)).toContainText(/(?!0:00)\d:\d\d \/ 2:00/);
const openTracks = (page: Page) =>
  page.evaluate(() => window.tracks.filter(({ readyState }) => readyState === 'live').length);

async function open(page: Page, context: BrowserContext, more: { credits?: number; plan?: 'pro' } = {}) {
  const person = await signInAs(context, site, more);
  await context.addInitScript(() => {
    window.tracks = [];
    const { mediaDevices } = navigator;
    const get = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await get(constraints);
      window.tracks.push(...stream.getTracks());
      return stream;
    };
  });
  await page.goto(`${site.url}/chat/new`);
  await waitForHydration(page);
  return person;
}

test('is not offered where no model is set @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(page.locator('.composer')).toBeVisible();
  await expect(microphone(page)).toHaveCount(0);
});

test('speech is inserted at the caret by keyboard, can be corrected, and is paid once', async ({
  page,
  context,
}) => {
  const person = await open(page, context);
  await control(site, { says: 'and two apples' });
  await composer(page).fill('Buy bread for tomorrow');
  await composer(page).evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(9, 9));
  await expect(microphone(page)).toHaveAccessibleName('Dictate · 1 credit');
  await microphone(page).press('Enter');
  await expect(announcement(page)).toHaveText('Recording. Up to 2 minutes.');
  await expect(done(page)).toBeFocused();
  await expect(done(page)).toHaveText('Done · 1 credit');
  await recorded(page);
  expect(await openTracks(page)).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Buy bread and two apples for tomorrow');
  await expect(announcement(page)).toHaveText('Text added to your message.');
  await expect(composer(page)).toBeFocused();
  expect(await composer(page).evaluate((box: HTMLTextAreaElement) => box.selectionStart)).toBe(24);
  expect(await openTracks(page)).toBe(0);
  await expect(page.getByText('9 left')).toBeVisible();
  expect(await person.credits()).toBe(9);
  await expect(page.getByRole('article')).toHaveCount(0);
  // The text is an ordinary draft.
  await page.reload();
  await waitForHydration(page);
  await expect(composer(page)).toHaveValue('Buy bread and two apples for tomorrow');
});

test('Esc ends it and releases the microphone, during recording and transcription @soak', async ({
  page,
  context,
}) => {
  const person = await open(page, context);
  await composer(page).fill('Typed');
  await microphone(page).click();
  await expect(done(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  expect(await openTracks(page)).toBe(0);
  await control(site, { gateway: { mode: 'hold' } });
  await microphone(page).click();
  await recorded(page);
  await done(page).click();
  await expect(bar(page)).toContainText('Transcribing…');
  expect(await openTracks(page)).toBe(0);
  await expect.poll(() => person.credits()).toBe(9);
  await bar(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(microphone(page)).toBeVisible();
  await expect.poll(() => person.credits()).toBe(10);
  await expect(composer(page)).toHaveValue('Typed');
});

test('a recording that could not be transcribed is kept, and retried @soak', async ({
  page,
  context,
  browserErrors,
}) => {
  const person = await open(page, context);
  await control(site, { gateway: { mode: '500' }, says: 'At last' });
  await microphone(page).click();
  await recorded(page);
  await done(page).click();
  await expect(bar(page).getByRole('alert')).toContainText('Your recording is still here.');
  expect(await violationsOf(page)).toEqual([]);
  await control(site, { gateway: { mode: 'ok' } });
  await bar(page).getByRole('button', { name: 'Try again · 1 credit' }).click();
  await expect(composer(page)).toHaveValue('At last');
  expect(await person.credits()).toBe(9);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((each) => !/503/.test(each)));
});

test('speech for one chat goes into its draft, whichever chat is open by then @soak', async ({
  page,
  context,
}) => {
  await open(page, context, { plan: 'pro' });
  await control(site, { firstTokenMs: 0, tokensPerSecond: 0 });
  await composer(page).fill('First chat');
  await composer(page).press('Enter');
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await control(site, { gateway: { mode: 'hold' }, says: 'For the first' });
  await microphone(page).click();
  await recorded(page);
  await done(page).click();
  await expect(bar(page)).toContainText('Transcribing…');
  await page.getByRole('link', { name: 'New chat' }).first().click();
  await page.waitForURL(/\/chat\/new/);
  await release(site, 'dictation');
  await expect(announcement(page)).toHaveText('Text added to your message.');
  await expect(composer(page)).toHaveValue('');
  await page.goBack();
  await expect(composer(page)).toHaveValue('For the first');
});

test.describe('without a microphone', () => {
  for (const [name, words] of [
    ['NotAllowedError', 'The microphone is blocked.'],
    ['NotFoundError', 'No microphone found.'],
    ['NotReadableError', 'Recording didn’t work.'],
  ] as const)
    test(`${name} is explained, and the typed text stays @soak`, async ({ page, context }) => {
      await signInAs(context, site);
      await context.addInitScript((error) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', error));
      }, name);
      await page.goto(`${site.url}/chat/new`);
      await waitForHydration(page);
      await composer(page).fill('Typed');
      await microphone(page).click();
      await expect(bar(page).getByRole('alert')).toContainText(words);
      await bar(page).getByRole('button', { name: 'Close' }).click();
      await expect(composer(page)).toHaveValue('Typed');
      await expect(microphone(page)).toBeVisible();
    });
});

test.describe('on a phone, right to left', () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: 'ar', hasTouch: true });

  test('it fits, and the button returns @soak', async ({ page, context }) => {
    await open(page, context);
    await page.getByRole('button', { name: /^إملاء صوتي/ }).click();
    const group = page.getByRole('group', { name: 'الإملاء الصوتي' });
    await expect(group.getByRole('button', { name: /^تم/ })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await group.getByRole('button', { name: /^تم/ }).click();
    await expect(page.locator('.composer-input')).toHaveValue(
      /^This is a stand-in, which cannot hear: it got \d+ bytes of webm\.$/,
    );
    await expect(page.getByRole('button', { name: /^إملاء صوتي/ })).toBeVisible();
  });
});

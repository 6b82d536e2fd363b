import { uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { soak } from '../support/soak.ts';
import {
  firstVisibleRow,
  fromTop,
  scrolled,
  trackScroll,
  transcript,
  waitUntilStill,
} from '../support/transcript.ts';

/** Prompt for a reply of numbered words; `speed` is in tokens per second. */
const words = (count: number, speed = 400) =>
  `${uniqueWord()} [[answer:lorem]] [[tokens:${count}]] [[tps:${speed}]] [[first:0]]`;

for (const width of soak ? [1280, 390] : [390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a sent message is near the top, and the answer grows into the space below @soak', async ({
      page,
      context,
      server,
    }) => {
      const person = await signInAs(context, server);
      const { id } = await writeChat(server, person, 12);
      await page.goto(`/chat/${id}`);
      await sendMessage(page, words(60, 30));
      await expect(transcript(page).getByText('w0005')).toBeVisible();
      // Scrolling there takes some frames.
      const nearTop = () => expect.poll(() => fromTop(page, '.chat-question')).toBeCloseTo(64, -0.5);
      await nearTop();
      const { least, most } = await trackScroll(page, 50);
      expect(most - least).toBeLessThan(1);
      await expect(transcript(page).getByText('w0060')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Stop generating' })).toBeHidden();
      await nearTop();
      await page.reload();
      await expect(transcript(page).getByText('w0060')).toBeVisible();
      await nearTop();
    });

    test('an answer that fills the view is followed, and nothing jumps when it ends @soak', async ({
      page,
      context,
      server,
    }) => {
      const person = await signInAs(context, server);
      const { id } = await writeChat(server, person, 4);
      await page.goto(`/chat/${id}`);
      await sendMessage(page, words(1500, 500));
      await expect(transcript(page).getByText('w1400')).toBeVisible();
      // Between the arrival of a word and its frame, the box may be a line behind.
      const gap = async () => (await scrolled(page)).gap;
      await expect.poll(gap).toBeLessThan(2);
      await expect(page.getByRole('button', { name: 'Stop generating' })).toBeHidden();
      await expect.poll(gap).toBeLessThan(2);
      await expect(transcript(page).getByText('w1500')).toBeInViewport();
    });
  });
}

test('a short chat does not scroll @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, words(5));
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  const fits = async () => {
    const { top, gap } = await scrolled(page);
    return top + gap;
  };
  expect(await fits()).toBe(0);
  await page.reload();
  await expect(transcript(page).getByText('w0005')).toBeVisible();
  expect(await fits()).toBe(0);
});

test('scrolled up, nothing moves while a reply arrives; Jump to latest follows again', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const code = (at: number) =>
    at % 2 === 0 ? `Question ${at}` : `\`\`\`ts\n${`const x = ${at};\n`.repeat(30)}\`\`\`\n`;
  const { id } = await writeChat(server, person, 20, code);
  await page.goto(`/chat/${id}`);
  await sendMessage(page, words(2000, 120));
  await expect(transcript(page).getByText('w0200')).toBeVisible();
  await transcript(page).hover();
  await page.mouse.wheel(0, -700);
  const jump = page.locator('.chat-jump');
  await expect(jump).toHaveAttribute('data-live');
  await expect(jump).not.toHaveAttribute('inert');
  await expect(transcript(page).locator('.hljs-keyword').first()).toBeVisible();
  const before = await firstVisibleRow(page);
  const { least, most } = await trackScroll(page, 500);
  expect(most - least).toBe(0);
  expect(await firstVisibleRow(page)).toEqual(before);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(jump).toHaveAttribute('inert');
  await expect(transcript(page)).toBeFocused();
  await expect.poll(async () => (await scrolled(page)).gap).toBeLessThan(2);
  await trackScroll(page, 100);
  expect((await scrolled(page)).gap).toBeLessThan(2);
});

test('a key, a selection and a find in page stop the following @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 20);
  await page.goto(`/chat/${id}`);
  await sendMessage(page, words(2000, 100));
  await expect(transcript(page).getByText('w0300')).toBeVisible();
  for (const release of [
    () => transcript(page).press('PageUp'),
    () =>
      page.evaluate(() => {
        const text = [...document.querySelectorAll('.chat-reply .md p')].at(-1);
        if (text) getSelection()?.selectAllChildren(text);
      }),
    // Find in page scrolls the box without wheel, touch or key events.
    () => page.evaluate(() => document.querySelector('.chat-turn')?.scrollIntoView()),
  ]) {
    await transcript(page).focus();
    await release();
    await expect.poll(async () => (await scrolled(page)).gap).toBeGreaterThan(50);
    await waitUntilStill(page);
    const { least, most } = await trackScroll(page, 100);
    expect(most - least).toBe(0);
    expect((await scrolled(page)).gap).toBeGreaterThan(50);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await expect.poll(async () => (await scrolled(page)).gap).toBeLessThan(2);
  }
});

test('a saved chat opens at its last question before it is shown, and hydration moves nothing', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const long = (at: number) =>
    at === 18 ? 'The last question' : `Part ${at}\n\n${'A line of the text.\n\n'.repeat(40)}`;
  const { id, messages } = await writeChat(server, person, 20, long);
  // Caches the fonts: on a slow machine, a font that arrives after the first paint changes the width of words.
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    const tops: number[] = [];
    Object.assign(window, { shifts, tops });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
    const sample = () => {
      const box = document.querySelector('.chat-scroll');
      if (box && getComputedStyle(box).visibility === 'visible') tops.push(box.scrollTop);
      requestAnimationFrame(sample);
    };
    requestAnimationFrame(sample);
  });
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await waitUntilStill(page);
  expect(await fromTop(page, '.chat-question')).toBeCloseTo(64, -0.5);
  const { shifts, tops } = await page.evaluate(() => {
    const { shifts, tops } = window as unknown as { shifts: number[]; tops: number[] };
    return { shifts, tops };
  });
  expect(new Set(tops).size).toBe(1);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.001);
  await expect(page.locator('.chat-jump')).not.toHaveAttribute('inert');
  expect((await firstVisibleRow(page)).id).toBe(messages[17]);
});

test('a chat that is opened from the list lands there too, and stays there as its texts are formatted @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const long = (at: number) =>
    at % 2 === 0
      ? `Question ${at}`
      : `Part ${at}\n\n${'- An item\n\n```ts\nconst x = 1;\n```\n\n'.repeat(20)}`;
  await writeChat(server, person, 20, long);
  // Markdown's code arrives after the chat is shown.
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  await page.route(/\/markdown-[^/]*\.js$/, async (route) => {
    await shown;
    await route.continue();
  });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Chat of 20' }).click();
  await expect(transcript(page).locator('.md-raw').last()).toBeAttached();
  show();
  await expect(transcript(page).locator('.md-code').last()).toBeAttached();
  await waitUntilStill(page);
  expect(await fromTop(page, '.chat-question')).toBeCloseTo(64, -0.5);
});

test('Back restores the place where a chat was left @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const one = await writeChat(server, person, 60);
  await writeChat(server, person, 30);
  await page.goto(`/chat/${one.id}`);
  await expect(page.getByText('Part 58')).toBeVisible();
  await transcript(page).hover();
  await page.mouse.wheel(0, -5000);
  await waitUntilStill(page);
  const before = await firstVisibleRow(page);
  await page.getByRole('link', { name: 'Chat of 30' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Chat of 30' })).toBeVisible();
  expect(await fromTop(page, '.chat-question')).toBeCloseTo(64, -0.5);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Chat of 60' })).toBeVisible();
  await waitUntilStill(page);
  const after = await firstVisibleRow(page);
  expect(after.id).toBe(before.id);
  expect(Math.abs(after.top - before.top)).toBeLessThan(1);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Chat of 30' })).toBeVisible();
  expect(await fromTop(page, '.chat-question')).toBeCloseTo(64, -0.5);
});

test('with reduced motion the view jumps at once @soak', async ({ page, context, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 20);
  await page.goto(`/chat/${id}`);
  await transcript(page).hover();
  await page.mouse.wheel(0, -2000);
  await expect(page.locator('.chat-jump')).not.toHaveAttribute('inert');
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  expect((await scrolled(page)).gap).toBeLessThan(2);
});

test('Jump to latest is shown only while the end of the conversation is out of view @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const text = (at: number) => (at === 1 ? 'A line of the text.\n\n'.repeat(80) : `A short one, ${at}`);
  const { id } = await writeChat(server, person, 4, text);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  const jump = page.locator('.chat-jump');
  const wheel = async (pixels: number) => {
    const { top } = await scrolled(page);
    await transcript(page).hover();
    await page.mouse.wheel(0, pixels);
    await expect.poll(async () => (await scrolled(page)).top).toBe(top + pixels);
    await waitUntilStill(page);
  };
  await wheel(-150);
  await expect(transcript(page).getByText('A short one, 3')).toBeInViewport();
  await expect(jump).toHaveAttribute('inert');
  await wheel(-800);
  await expect(transcript(page).getByText('A short one, 3')).not.toBeInViewport();
  await expect(jump).not.toHaveAttribute('inert');
  await jump.click();
  await expect(jump).toHaveAttribute('inert');

  // A reply that grows out of view within the space reserved for it.
  await sendMessage(page, words(320, 30));
  await expect(transcript(page).getByText('w0005')).toBeVisible();
  await wheel(-60);
  await expect(jump).toHaveAttribute('inert');
  await expect(jump).not.toHaveAttribute('inert');
});

test('at 320 px, at 200 % and above the on-screen keyboard a chat fits @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const marginAt = (at: number) =>
    at % 2 === 0
      ? 'x'.repeat(300)
      : `| ${'column | '.repeat(12)}\n| ${'- | '.repeat(12)}\n\n\`\`\`\n${'y'.repeat(300)}\n\`\`\``;
  const { id } = await writeChat(server, person, 8, marginAt);
  for (const viewport of [
    { width: 320, height: 640 },
    // The viewport of a 1280 × 900 screen at 200 % zoom.
    { width: 640, height: 450 },
    // The viewport that an on-screen keyboard leaves on a small phone.
    { width: 375, height: 300 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(`/chat/${id}`);
    await waitForHydration(page);
    await expect(page.getByRole('textbox', { name: /message/i })).toBeInViewport({ ratio: 1 });
    const sidewaysScroll = await page.evaluate(() =>
      [document.documentElement, document.querySelector('.chat-scroll')].map(
        (box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
      ),
    );
    expect(sidewaysScroll).toEqual([0, 0]);
  }
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute(
    'content',
    /interactive-widget=resizes-content/,
  );
});

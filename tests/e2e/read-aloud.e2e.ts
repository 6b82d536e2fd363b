import type { BrowserContext, Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import type { TestServer } from '../support/server.ts';

interface Utterance {
  text: string;
  voice: string;
  onend?: () => void;
  onerror?: (event: { error: string }) => void;
}

declare global {
  interface Window {
    spoken: Utterance[];
    /** Ends the current utterance. */
    finish: () => void;
  }
}

/** The test browser has no voices: these record what they should say. */
const giveVoices = (context: BrowserContext, voices: { lang: string; localService: boolean }[]) =>
  context.addInitScript((offered) => {
    window.spoken = [];
    let current: Utterance | undefined;
    window.finish = () => current?.onend?.();
    const list = offered.map((voice) => ({
      ...voice,
      name: voice.lang,
      default: false,
      voiceURI: voice.lang,
    }));
    const synthesis = {
      getVoices: () => list,
      addEventListener: () => undefined,
      speak: (utterance: Utterance & { lang: string }) => {
        current = utterance;
        window.spoken.push({ text: utterance.text, voice: utterance.lang });
      },
      cancel: () => {
        current?.onerror?.({ error: 'canceled' });
        current = undefined;
      },
    };
    Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
    Object.defineProperty(window, 'SpeechSynthesisUtterance', {
      value: class {
        text: string;
        constructor(text: string) {
          this.text = text;
        }
      },
    });
  }, voices);

const long = 'Der Hund schläft heute lieber in der Küche, weil es dort am Abend noch warm ist. ';
const german = `# Ein Tag\n\n${long.repeat(4)}\n\n1. Zuerst:\n\n   \`\`\`sh\n   npm start\n   \`\`\`\n\nDann ist Ruhe [1].`;

async function openReply(page: Page, server: TestServer, person: { id: string }, text: string) {
  const { id } = await writeChat(server, person, 2, (at) => (at === 1 ? text : 'Tell me.'));
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
}

async function readAloud(page: Page) {
  await page.getByRole('button', { name: 'About this reply' }).press('Enter');
  await page.getByRole('button', { name: 'Read aloud' }).press('Enter');
}

const stop = (page: Page) => page.getByRole('button', { name: 'Stop reading' });
const spoken = (page: Page) => page.evaluate(() => window.spoken);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a reply is read aloud in its language by a voice of the device, without code, and stopped', async ({
    page,
    context,
    server,
  }) => {
    await giveVoices(context, [
      { lang: 'en-US', localService: true },
      { lang: 'de-DE', localService: false },
      { lang: 'de_AT', localService: true },
    ]);
    const person = await signInAs(context, server);
    await openReply(page, server, person, german);
    await readAloud(page);
    await expect(stop(page)).toBeFocused();
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await expect.poll(async () => (await spoken(page)).length).toBe(1);
    const [first] = await spoken(page);
    expect(first).toEqual({ text: expect.stringMatching(/^Ein Tag/), voice: 'de_AT' });
    expect(first?.text.length).toBeLessThanOrEqual(240);
    await page.evaluate(() => window.finish());
    await expect.poll(async () => (await spoken(page)).length).toBe(2);
    await stop(page).press('Enter');
    await expect(page.getByRole('button', { name: 'About this reply' })).toBeFocused();
    await expect(stop(page)).toHaveCount(0);

    // Reading continues to the end while the person does something else.
    await readAloud(page);
    await expect(stop(page)).toBeFocused();
    await composer(page).focus();
    const before = (await spoken(page)).length;
    await expect
      .poll(async () => {
        await page.evaluate(() => window.finish());
        return stop(page).count();
      })
      .toBe(0);
    await expect(composer(page)).toBeFocused();
    const fullText = (await spoken(page)).slice(before - 1).map(({ text }) => text);
    expect(fullText.join(' ')).toContain('Dann ist Ruhe.');
    expect(fullText.join(' ')).not.toContain('npm start');
  });
});

test('reading another reply ends the previous one silently @soak', async ({ page, context, server }) => {
  await giveVoices(context, [{ lang: 'en-US', localService: true }]);
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 4, (at) =>
    at % 2 === 0 ? 'Tell me.' : `This is the answer number ${at} to your question.`,
  );
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  for (const at of [0, 1]) {
    await page.getByRole('button', { name: 'About this reply' }).nth(at).press('Enter');
    await page.getByRole('button', { name: 'Read aloud' }).press('Enter');
    await expect.poll(async () => (await spoken(page)).length).toBe(at + 1);
    await expect(stop(page)).toHaveCount(1);
  }
  await expect(page.getByText('couldn’t read this reply aloud')).toHaveCount(0);
});

test('text that no voice of the device can read is reported @soak', async ({ page, context, server }) => {
  await giveVoices(context, [
    { lang: 'en-US', localService: true },
    { lang: 'de-DE', localService: false },
  ]);
  const person = await signInAs(context, server);
  await openReply(page, server, person, german);
  await readAloud(page);
  await expect(page.getByText('This device has no voice for this language: German.')).toBeVisible();
  await expect(stop(page)).toHaveCount(0);
  expect(await spoken(page)).toEqual([]);
});

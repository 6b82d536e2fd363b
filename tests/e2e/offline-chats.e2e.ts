import type { BrowserContext, Page } from '@playwright/test';
import { keepingKey, keptDatabase, keptLimits } from '#features/devices/contract.ts';
import { send, waitForEnd } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { controlled, installed } from '../support/installed.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import type { Person } from '../support/people.ts';

const offlineNote = 'You’re offline. Your draft is saved; send it when you’re back.';
const onDevice = (page: Page) => page.getByRole('checkbox', { name: 'Keep recent chats on this device' });
const draft = (page: Page) => page.getByRole('textbox', { name: 'Your draft' });

/** Removes errors of failed requests while offline and of requests without a session. */
const dropErrors = (browserErrors: string[]) =>
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/DISCONNECTED|Failed to fetch|status of 401/.test(text)),
  );

/** Makes a chat with two messages that is done; returns its id. */
async function chatOf(person: Person, text: string): Promise<string> {
  const sent = await send(person, `${text} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  return sent.chatId;
}

/** Returns how many chats the browser keeps; null without a database of kept chats. */
const keptCount = (page: Page) =>
  page.evaluate(
    (name) =>
      new Promise<number | null>((resolve) => {
        const opening = indexedDB.open(name);
        // Prevents this check from creating the database.
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve(null);
        opening.onsuccess = () => {
          const counting = opening.result.transaction('chats').objectStore('chats').count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
    keptDatabase,
  );

async function switchOn(page: Page): Promise<void> {
  await page.goto('/settings');
  await waitForHydration(page);
  await onDevice(page).check();
  await expect(page.getByText('Recent chats are kept on this device.')).toBeVisible();
  await controlled(page);
}

async function offlineTo(page: Page, context: BrowserContext, path: string): Promise<void> {
  await context.setOffline(true);
  await page.goto(path);
}

test('recent chats can be read offline, and a draft that was typed there waits for a press', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const [one, two] = [await chatOf(person, 'Name **three** rivers'), await chatOf(person, 'And two lakes')];
  await switchOn(page);
  await expect(page.getByText(/^2 chats stored, /)).toBeVisible();
  await offlineTo(page, context, '/chat');
  const rows = page.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'rivers' }).getByRole('link').click();
  await expect(page).toHaveURL(`${server.url}/chat/${one}`);
  await expect(page.locator('.bubble')).toContainText('Name **three** rivers');
  await expect(page.locator('.md')).not.toBeEmpty();
  await expect(page.getByText(offlineNote)).toBeVisible();
  await draft(page).fill('And which is the longest? [[tps:0]]');
  await page.getByRole('link', { name: 'All chats on this device' }).click();
  await expect(rows).toHaveCount(2);
  await page.goto(`/chat/${two}`);
  await expect(draft(page)).toHaveValue('');
  await page.goto(`/chat/${one}`);
  await expect(draft(page)).toHaveValue('And which is the longest? [[tps:0]]');
  await context.setOffline(false);
  await expect(page.getByRole('status')).toContainText('You’re back online.');
  await expect(page.getByText('You’re back online.').last()).toBeVisible();
  await expect(page.getByText(offlineNote)).toBeHidden();
  await page.getByRole('button', { name: 'Reload' }).click();
  await waitForHydration(page);
  await expect(composer(page)).toHaveValue('And which is the longest? [[tps:0]]');
  await expect(page.locator('.bubble')).toHaveCount(1);
  await composer(page).press('Enter');
  await expect(page.locator('.bubble')).toHaveCount(2);
  dropErrors(browserErrors);
});

test('kept chats are encrypted, and follow changes', async ({ page, context, server, browserErrors }) => {
  const person = await signInAs(context, server);
  const deletedChat = await chatOf(person, 'Kept words');
  await switchOn(page);
  await expect(page.getByText(/^1 chat stored, /)).toBeVisible();
  const stored = await page.evaluate(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const all = (store: string) =>
      new Promise<object[]>((resolve) => {
        const reading = opening.result.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
      });
    const [{ sealed }] = (await all('chats')) as [{ sealed: ArrayBuffer }];
    const [{ key }] = (await all('lock')) as [{ key: CryptoKey }];
    opening.result.close();
    const exported = await crypto.subtle.exportKey('raw', key).then(
      () => true,
      () => false,
    );
    return { text: new TextDecoder('latin1').decode(sealed), exported, usages: [...key.usages].sort() };
  }, keptDatabase);
  expect(stored.text).not.toContain('Kept');
  expect(stored).toMatchObject({ exported: false, usages: ['decrypt', 'encrypt'] });
  await page.goto('/chat/new');
  await sendMessage(page, 'A later question [[tps:0]] [[first:0]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect.poll(() => keptCount(page)).toBe(2);
  await page.goto('/chat/new?temporary');
  await sendMessage(page, 'A secret question [[tps:0]] [[first:0]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  expect((await person.send('DELETE', `/api/chats/${deletedChat}`)).status).toBe(204);
  await page.goto('/dashboard');
  await expect.poll(() => keptCount(page)).toBe(1);
  await offlineTo(page, context, '/chat');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('listitem')).not.toContainText('secret');
  await page.goto(`/chat/${deletedChat}`);
  await expect(page.getByText('This chat isn’t stored on this device.')).toBeVisible();
  await context.setOffline(false);
  dropErrors(browserErrors);
});

test('after sign-out nothing is left to read, and nothing is kept from then on', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const id = await chatOf(person, 'For my eyes');
  await switchOn(page);
  await expect.poll(() => keptCount(page)).toBe(1);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('/');
  await expect.poll(() => keptCount(other)).toBeNull();
  expect(await page.evaluate((key) => localStorage.getItem(key), keepingKey)).toBeNull();
  await offlineTo(page, context, `/chat/${id}`);
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  await expect(page.locator('.bubble')).toHaveCount(0);
  await expect(draft(page)).toBeHidden();
  await context.setOffline(false);
  dropErrors(browserErrors);
});

test('a session that ends on another device takes the kept chats with it @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const id = await chatOf(person, 'Until I am gone');
  await switchOn(page);
  await expect.poll(() => keptCount(page)).toBe(1);
  // As after a ban, an erasure, or a sign-out from another device.
  await server.database.query('delete from sessions where user_id = $1', [person.id]);
  await page.goto('/pricing');
  await expect.poll(() => keptCount(page)).toBeNull();
  await offlineTo(page, context, `/chat/${id}`);
  await expect(page.locator('.bubble')).toHaveCount(0);
  await context.setOffline(false);
  dropErrors(browserErrors);
});

test('the next person who signs in in the same browser never reads kept chats @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const first = await signInAs(context, server);
  const id = await chatOf(first, 'Of the first person');
  await switchOn(page);
  await expect.poll(() => keptCount(page)).toBe(1);
  // The session changes without a sign-out.
  await signInAs(context, server);
  await page.goto('/dashboard');
  await expect.poll(() => keptCount(page)).toBeNull();
  await offlineTo(page, context, `/chat/${id}`);
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  await expect(page.locator('.bubble')).toHaveCount(0);
  await context.setOffline(false);
  await page.goto('/settings');
  await waitForHydration(page);
  await expect(onDevice(page)).not.toBeChecked();
  dropErrors(browserErrors);
});

test('chats encrypted with another key, or older than two weeks, are not shown @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await chatOf(person, 'Once mine');
  await switchOn(page);
  await expect.poll(() => keptCount(page)).toBe(1);
  /** Changes the stored row of the key. */
  const change = (part: 'key' | 'time') =>
    page.evaluate(
      async ([name, change, days]) => {
        const opening = indexedDB.open(name as string);
        await new Promise((resolve) => {
          opening.onsuccess = resolve;
        });
        const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['decrypt']);
        const store = opening.result.transaction('lock', 'readwrite').objectStore('lock');
        const reading = store.get('lock');
        await new Promise((resolve) => {
          reading.onsuccess = () => {
            const old = { checkedAt: Date.now() - ((days as number) + 1) * 86_400_000 };
            store.put({ ...reading.result, ...(change === 'key' ? { key } : old) }, 'lock').onsuccess =
              resolve;
          };
        });
        opening.result.close();
      },
      [keptDatabase, part, keptLimits.days],
    );
  await context.setOffline(true);
  await page.goto('/chat');
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await change('key');
  await page.goto('/chat');
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveCount(0);
  await change('time');
  await page.goto('/chat');
  await expect.poll(() => keptCount(page)).toBeNull();
  await context.setOffline(false);
  dropErrors(browserErrors);
});

test('an installed app keeps chats automatically, until its owner turns that off @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await installed(context);
  const person = await signInAs(context, server);
  await chatOf(person, 'Kept by itself');
  await page.goto('/dashboard');
  await expect.poll(() => keptCount(page)).toBe(1);
  await page.goto('/settings');
  await waitForHydration(page);
  // The setting shows what the browser keeps, which the server does not know.
  await expect(onDevice(page)).toBeChecked();
  await onDevice(page).uncheck();
  await expect(page.getByText('Chats removed from this device.')).toBeVisible();
  await expect.poll(() => keptCount(page)).toBeNull();
  await page.goto('/chat');
  await waitForHydration(page);
  await offlineTo(page, context, '/chat');
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveCount(0);
  await context.setOffline(false);
  dropErrors(browserErrors);
});

test('a browser without space or without a database works as usual @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await chatOf(person, 'Too much');
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await switchOn(page);
  await page.goto('/chat');
  await sendMessage(page, 'Still here? [[tps:0]] [[first:0]]');
  await expect(page.locator('.bubble')).toHaveCount(2);
  const closed = await context.newPage();
  await closed.addInitScript(() => {
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('no', 'SecurityError'));
  });
  await closed.goto('/settings');
  await waitForHydration(closed);
  await onDevice(closed).uncheck();
  await onDevice(closed).click();
  await expect(closed.getByText('This browser can’t keep chats on this device.')).toBeVisible();
});

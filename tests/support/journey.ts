import process from 'node:process';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { consentKey, consentVersion } from '#shared/consent.ts';
import { operatorEnv } from './admin.ts';
import { waitForHydration } from './hydration.ts';
import { mailTo } from './mailbox.ts';
import { createPerson, type Person } from './people.ts';
import { startTestServer, type TestServer } from './server.ts';

interface WorkerFixtures {
  /** The real server with its own stand-ins and database, shared by all journeys of a worker. */
  server: TestServer;
}

interface Fixtures {
  /** The cookie choice that the visitor has already made; with `none` the banner appears. */
  consent: 'essential' | 'all' | 'none';
  /** Errors that the browser reported; a journey fails on any that it does not expect. */
  browserErrors: string[];
}

/** Stores a cookie choice in every page of the context that has none yet. */
async function storeConsent(context: BrowserContext, all: boolean): Promise<void> {
  const optional = { functional: all, analytics: all };
  const choice = {
    essential: true,
    ...optional,
    timestamp: new Date().toISOString(),
    version: consentVersion,
  };
  await context.addInitScript(
    ([key = '', value = '']) => {
      // Pages without an origin have no storage.
      if (location.protocol.startsWith('http') && origin !== 'null' && localStorage.getItem(key) === null)
        localStorage.setItem(key, value);
    },
    [consentKey, JSON.stringify(choice)],
  );
}

/** Playwright's `test` with a running site. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const server = await startTestServer({
        postgres: process.env.TEST_POSTGRES ?? '',
        env: { TRUSTED_PROXIES: '127.0.0.1', ...operatorEnv },
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  consent: ['essential', { option: true }],
  context: async ({ context, consent }, use) => {
    if (consent !== 'none') await storeConsent(context, consent === 'all');
    await use(context);
  },
  browserErrors: [
    async ({ context }, use, { errors }) => {
      const browserErrors: string[] = [];
      context.on('page', (page) => {
        page.on('pageerror', (error) => browserErrors.push(`error: ${error.message}`));
        page.on('console', (message) => {
          if (message.type() === 'error') browserErrors.push(`console: ${message.text()}`);
        });
      });
      await use(browserErrors);
      // A test that failed earlier has not come to the errors it expects: its own error is the one to report.
      if (errors.length === 0) expect(browserErrors).toEqual([]);
    },
    { auto: true },
  ],
});

/** Creates a person and signs the browser in as them. */
export async function signInAs(
  context: BrowserContext,
  server: TestServer,
  options: Parameters<typeof createPerson>[1] = {},
): Promise<Person> {
  const person = await createPerson(server, options);
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  return person;
}

/**
 * Types the address into the open sign-in dialog, then the code of mail number `count`. The dialog closes two seconds
 * after the mail is sent, and then has to be opened again from the toast.
 */
export async function signInByCode(
  page: Page,
  server: TestServer,
  email: string,
  { count }: { count?: number } = {},
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Email').press('Enter');
  const { code } = await mailTo(server, email, count);
  const field = dialog.getByLabel('6-digit code');
  const again = page.getByRole('button', { name: 'Enter the code' });
  await expect(async () => {
    if (!(await dialog.isVisible())) await again.click({ timeout: 1_000 });
    await field.fill(code, { timeout: 1_000 });
    await field.press('Enter', { timeout: 1_000 });
  }).toPass();
}

/** Returns the message box. */
export const composer = (page: Page) => page.getByRole('textbox', { name: /message/i });

/** Waits until the page is hydrated, then types a message and sends it with Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await waitForHydration(page);
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

export { expect };

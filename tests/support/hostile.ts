import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { TestServer } from './server.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../src/ui/markdown/${name}.fixture.json`, import.meta.url), 'utf8'));

const { auto, exec } = read('hostile-markdown') as Record<'auto' | 'exec', Record<string, string>>;

/** Texts that try to load something (30), to run something (21), or either through a formula. */
export const vectors = [auto, exec, read('hostile-math') as Record<string, string>].flatMap((group, kind) =>
  Object.values(group).map((text) => (kind === 2 ? `$$${text}$$` : text)),
);

export interface ObservedPage {
  /** URLs of other hosts that the page requested. */
  foreign: string[];
  /** Signs of code that ran: dialogs, calls, windows. */
  ran: string[];
}

/** Records requests to other hosts, which it blocks, and any code that runs in the page. */
export async function watch(page: Page, server: TestServer): Promise<ObservedPage> {
  const observed: ObservedPage = { foreign: [], ran: [] };
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(server.url) || url.startsWith('data:') || url.startsWith('blob:'))
      return route.continue();
    observed.foreign.push(url);
    return route.abort();
  });
  await page.exposeFunction('alert', (text: unknown) => void observed.ran.push(String(text)));
  page.on('dialog', (dialog) => {
    observed.ran.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('popup', (popup) => observed.ran.push(`popup ${popup.url()}`));
  return observed;
}

/** Elements of the conversation that a message's text must never produce. */
export const forbiddenElements =
  'img, picture, iframe, object, embed, form, input, script, style, video, audio, track, svg a, link, meta, base, [id="currentUser"], [name="getElementById"]';

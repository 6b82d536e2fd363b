import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { TestServer } from './server.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../src/ui/markdown/${name}.fixture.json`, import.meta.url), 'utf8'));

const { auto, exec } = read('hostile-markdown') as Record<'auto' | 'exec', Record<string, string>>;

/** Texts that want to load something (30), to run something (21), or to do either by a formula. */
export const vectors = [auto, exec, read('hostile-math') as Record<string, string>].flatMap((group, kind) =>
  Object.values(group).map((text) => (kind === 2 ? `$$${text}$$` : text)),
);

export interface Watched {
  /** Addresses of others that the page asked for. */
  foreign: string[];
  /** What ran: dialogs, calls, windows. */
  ran: string[];
}

/** Notes what leaves the page and what runs in it; nothing does leave. */
export async function watch(page: Page, server: TestServer): Promise<Watched> {
  const seen: Watched = { foreign: [], ran: [] };
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(server.url) || url.startsWith('data:') || url.startsWith('blob:'))
      return route.continue();
    seen.foreign.push(url);
    return route.abort();
  });
  await page.exposeFunction('alert', (text: unknown) => void seen.ran.push(String(text)));
  page.on('dialog', (dialog) => {
    seen.ran.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('popup', (popup) => seen.ran.push(`popup ${popup.url()}`));
  return seen;
}

/** Elements of the conversation that no text of a message may make. */
export const strangeElements =
  'img, picture, iframe, object, embed, form, input, script, style, video, audio, track, svg a, link, meta, base, [id="currentUser"], [name="getElementById"]';

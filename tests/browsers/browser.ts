import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '../support/server.ts';

/** One page of a real browser; presses and keys are real input events. */
export interface Tab {
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Evaluates an expression in the page; its value must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses the middle of the first element that matches the selector. */
  press(selector: string): Promise<void>;
  /** Types into the focused element. For `Enter` and `Escape` use `key`. */
  type(text: string): Promise<void>;
  key(name: 'Enter' | 'Escape'): Promise<void>;
  choose(selector: string, file: string): Promise<void>;
  setCookie(cookie: { name: string; value: string; url: string }): Promise<void>;
  /** PNG of the visible part. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Returns the first of these programs (a name on the PATH or a full path) that exists, or undefined. */
export function findProgram(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = programs.flatMap((program) =>
    program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program)),
  );
  return places.find((place) => existsSync(place));
}

const MARK = 'data-named-by-test';

/**
 * Waits for a visible element of this kind and name (label or text) and presses the first. Retries if a re-render
 * replaces the element meanwhile.
 */
function pressNamed(tab: Tab, kind: string, name: string): Promise<boolean> {
  const expression = `(() => {
    const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim();
    const namesOf = (element) => [
      element.getAttribute('aria-label'),
      ...[...(element.labels ?? [])].map((label) => label.textContent),
      element.textContent,
    ].map(plain);
    const found = [...document.querySelectorAll(${JSON.stringify(kind)})].find((element) =>
      element.checkVisibility() && !element.disabled && namesOf(element).includes(${JSON.stringify(name)}));
    for (const old of document.querySelectorAll('[${MARK}]')) old.removeAttribute('${MARK}');
    found?.setAttribute('${MARK}', '');
    found?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return found !== undefined;
  })()`;
  return eventually(async () => {
    if (!(await tab.evaluate<boolean>(expression))) return false;
    await tab.press(`[${MARK}]`);
    return true;
  });
}

export const pressButton = (tab: Tab, name: string) =>
  pressNamed(tab, 'button, [role=button], summary, [role=menuitem]', name);

export const pressRadio = (tab: Tab, name: string) => pressNamed(tab, 'label', name);

export async function fill(tab: Tab, label: string, text: string): Promise<void> {
  await pressNamed(tab, 'input, textarea, [contenteditable], [role=textbox]', label);
  await tab.type(text);
}

/** Waits until the page shows the text. */
export const waitForText = (tab: Tab, text: string) =>
  eventually(() => tab.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(text)})`)).catch(
    async () => {
      throw new Error(
        `"${text}" is not on ${await tab.url()}:\n${await tab.evaluate('document.body.innerText')}`,
      );
    },
  );

/** Waits until an app page is hydrated; earlier presses do nothing. */
export const waitForHydration = (tab: Tab) =>
  eventually(() => tab.evaluate<boolean>(`document.documentElement.hasAttribute('data-ready')`));

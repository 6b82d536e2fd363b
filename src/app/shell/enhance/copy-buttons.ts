import { m } from '#messages';
import { find, on } from './dom.ts';

const COPIED_MS = 2000;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();
const labels = new WeakMap<HTMLElement, string>();

async function copy(element: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return;
  }
  const button = find('[data-copy-label]', element) ?? element;
  if (!labels.has(button)) labels.set(button, button.textContent ?? '');
  button.textContent = m.copied();
  clearTimeout(timers.get(button));
  timers.set(
    button,
    setTimeout(() => {
      button.textContent = labels.get(button) ?? '';
    }, COPIED_MS),
  );
}

export const blockText = (element: HTMLElement): string =>
  element.closest('figure, .md-code')?.querySelector('[data-copy-source]')?.textContent ?? '';

export function startCopy(): void {
  on('click', '[data-copy-block]', (button) => void copy(button, blockText(button)));
  on('click', '[data-copy-text]', (button) => void copy(button, button.dataset.copyText ?? ''));
  on('click', '[data-copy-details]', (button) => {
    const { at: timestamp, ...error } = JSON.parse(button.dataset.copyDetails ?? '{}');
    // Without query and fragment, which may contain a token or foreign text; `error` has what the page shows of them.
    const url = location.origin + location.pathname;
    const details = { error, timestamp, userAgent: navigator.userAgent, url };
    void copy(button, JSON.stringify(details, null, 2));
  });
  on('click', '[data-back]', () => {
    if (history.length > 1) history.back();
    else location.assign('/');
  });
}

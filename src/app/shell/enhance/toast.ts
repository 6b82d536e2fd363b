import { find, heard } from './dom.ts';

/** Detail of the event `toast` on `document`. */
interface Toast {
  title?: string;
  text: string;
  kind?: 'success' | 'danger' | 'info';
  action?: { label: string; run: () => void };
  /** Milliseconds that it shows; the specification's time where nothing is said. */
  lasts?: number;
  /** Stays until it is closed or the next one comes. */
  stays?: boolean;
}

/** How long a toast shows, in milliseconds, as the specification says. */
const SHOWN_MS = 4000;

let timer: ReturnType<typeof setTimeout> | undefined;
/** Where the focus was before F6 led it to the toast. */
let before: Element | null = null;

function button(label: string, className: string, run: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  Object.assign(made, { type: 'button', className: `btn ${className}`, textContent: label, onclick: run });
  return made;
}

/** Counts down while neither the pointer nor the focus is on the toast. */
function countDown(box: HTMLElement, close: () => void, ms: number): void {
  let left = ms;
  let ends = 0;
  const run = () => {
    clearTimeout(timer);
    ends = performance.now() + left;
    timer = setTimeout(close, left);
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = ends - performance.now();
  };
  // After the event, when the new focus has settled.
  const resume = () => setTimeout(() => box.isConnected && !box.matches(':hover, :focus-within') && run());
  box.onpointerenter = pause;
  box.onpointerleave = resume;
  box.addEventListener('focusin', pause);
  box.addEventListener('focusout', resume);
  run();
}

/** Shows one toast in place of the one before. */
export function toast({ title, text, kind = 'info', action, stays, lasts = SHOWN_MS }: Toast): void {
  const region = find('#toasts');
  if (!region) return;
  clearTimeout(timer);
  const box = document.createElement('div');
  box.className = 'toast';
  box.dataset.kind = kind;
  if (kind === 'danger') box.setAttribute('role', 'alert');
  const close = () => {
    clearTimeout(timer);
    const inside = box.matches(':focus-within');
    box.remove();
    if (inside && before instanceof HTMLElement) before.focus();
  };
  const line = document.createElement('p');
  line.textContent = text;
  if (title) {
    const head = document.createElement('strong');
    head.textContent = title;
    line.prepend(head, ' ');
  }
  box.append(line);
  if (action) {
    const act = () => {
      close();
      action.run();
    };
    box.append(button(action.label, 'btn-secondary', act));
  }
  const dismiss = button('✕', 'btn-ghost btn-icon', close);
  dismiss.ariaLabel = 'Dismiss';
  box.append(dismiss);
  region.replaceChildren(box);
  // On top of a drawer that is open.
  if (region.matches(':popover-open')) region.hidePopover();
  region.showPopover();
  if (!stays) countDown(box, close, lasts);
}

/** Removes the toast that shows. */
export function clearToast(): void {
  clearTimeout(timer);
  find('#toasts')?.replaceChildren();
}

/** Listens for toasts of the page; F6 leads to the one that shows. */
export function startToasts(): void {
  heard<Toast>('toast', toast);
  addEventListener('keydown', (event) => {
    const first = event.key === 'F6' && find('#toasts button');
    if (!first) return;
    event.preventDefault();
    if (!first.closest('.toast')?.matches(':focus-within')) before = document.activeElement;
    first.focus();
  });
}

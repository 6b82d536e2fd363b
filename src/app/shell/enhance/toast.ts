import type { ToastDetail } from '#client/page-events.ts';
import { m } from '#messages';
import { autoClose } from './auto-close.ts';
import { find, listen } from './dom.ts';

const SHOWN_MS = 4000;

let stop = () => {};
/** The element that had the focus before F6 moved it to the toast. */
let previousFocus: Element | null = null;

function button(label: string, className: string, run: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  Object.assign(element, { type: 'button', className: `btn ${className}`, textContent: label, onclick: run });
  return element;
}

/** Shows a toast in place of the current one. @returns a function that removes it if it is still shown. */
export function toast({
  title,
  text,
  kind = 'info',
  action,
  persistent,
  durationMs = SHOWN_MS,
}: ToastDetail): () => void {
  const region = find('#toasts');
  if (!region) return () => {};
  stop();
  const box = document.createElement('div');
  box.className = action ? 'toast toast-asks' : 'toast';
  box.dataset.kind = kind;
  if (kind === 'danger') box.setAttribute('role', 'alert');
  const close = () => {
    if (!box.isConnected) return;
    stop();
    const hadFocus = box.matches(':focus-within');
    box.remove();
    if (hadFocus && previousFocus instanceof HTMLElement) previousFocus.focus();
  };
  const line = document.createElement('p');
  line.textContent = text;
  if (title) {
    const head = document.createElement('strong');
    head.textContent = title;
    line.prepend(head, ' ');
  }
  box.append(line);
  const buttons = document.createElement('div');
  buttons.className = 'toast-buttons';
  if (action) {
    const runAction = () => {
      close();
      action.run();
    };
    buttons.append(button(action.label, 'btn-secondary', runAction));
  }
  const dismiss = button('✕', 'btn-ghost btn-icon', close);
  dismiss.ariaLabel = m.common_dismiss();
  buttons.append(dismiss);
  box.append(buttons);
  region.replaceChildren(box);
  // Shown again, so that it is above an open drawer.
  if (region.matches(':popover-open')) region.hidePopover();
  region.showPopover();
  stop = persistent ? () => {} : autoClose(box, close, durationMs);
  return close;
}

export function clearToast(): void {
  stop();
  find('#toasts')?.replaceChildren();
}

export function startToasts(): void {
  listen<ToastDetail>('toast', toast);
  listen('toast:settled', () => {
    if (find('#toasts .toast')?.dataset.kind === 'danger') clearToast();
  });
  addEventListener('keydown', (event) => {
    const first = event.key === 'F6' && find('#toasts button');
    if (!first) return;
    event.preventDefault();
    if (!first.closest('.toast')?.matches(':focus-within')) previousFocus = document.activeElement;
    first.focus();
  });
}

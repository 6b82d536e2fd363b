import { on } from './dom.ts';

const actions = (list: Element) =>
  [...list.querySelectorAll<HTMLElement>('a, button')].filter((item) => item.checkVisibility());

export function startControls(): void {
  on('keydown', '.menu-below, [role=tablist]', (list, event) => {
    const items = actions(list);
    const tabs = list.role === 'tablist';
    const index = items.indexOf(document.activeElement as HTMLElement);
    const arrowKeys = document.dir === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    const [previousKey = '', nextKey = ''] = tabs ? arrowKeys : ['ArrowUp', 'ArrowDown'];
    const keys = ['End', previousKey, 'Home', nextKey];
    const target = [-1, Math.max(index, 0) - 1, 0, index + 1][keys.indexOf(event.key)];
    const item = target !== undefined && items.at(target % items.length);
    if (!item) return;
    event.preventDefault();
    item.focus();
    if (tabs) item.click();
  });
  // For browsers without `closedby`: events on the backdrop have the dialog itself as their target.
  on('mousedown', 'dialog', (box, event) => {
    if (event.target === box && !('closedBy' in box)) (box as HTMLDialogElement).close();
  });
}

import { local } from '#client/storage.ts';
import { find, on } from './dom.ts';

function showChoice(menu: Element): void {
  const choice = local.getItem('theme');
  const option = find<HTMLInputElement>(
    `input[name=theme][value=${choice === 'light' || choice === 'dark' ? choice : 'system'}]`,
    menu,
  );
  if (option) option.checked = true;
}

export function startTheme(): void {
  on('change', 'input[name=theme]', (input) => {
    local.setItem('theme', (input as HTMLInputElement).value);
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
  });
  // A pointer's choice closes the menu; the arrow keys, which choose as they move, leave it open.
  on('click', '.theme-option', (option, event) => {
    if (event.detail > 0) option.closest<HTMLElement>('[popover]')?.hidePopover();
  });
  // The choices are one stop of the keyboard: Tab leaves the menu, Enter is done with it.
  on('keydown', '#theme-menu', (menu, { key }) => {
    if (key === 'Tab' || key === 'Enter') menu.hidePopover();
  });
  // This event does not bubble, and comes before the focus can move in.
  document.addEventListener(
    'beforetoggle',
    ({ target }) => target instanceof Element && showChoice(target),
    true,
  );
}

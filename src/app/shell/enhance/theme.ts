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
  // A real click closes the menu. Arrow keys also fire `click`, with `detail` 0, and leave it open.
  on('click', '.theme-option', (option, event) => {
    if (event.detail > 0) option.closest<HTMLElement>('[popover]')?.hidePopover();
  });
  // The radio buttons are a single tab stop, so Tab leaves the menu; Enter confirms the choice.
  on('keydown', '#theme-menu', (menu, { key }) => {
    if (key === 'Tab' || key === 'Enter') menu.hidePopover();
  });
  // Capture, because `beforetoggle` does not bubble. It fires before the focus can move into the menu.
  document.addEventListener(
    'beforetoggle',
    ({ target }) => target instanceof Element && showChoice(target),
    true,
  );
}

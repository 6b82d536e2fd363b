import { local } from '../../../client/storage.ts';
import { find, on } from './dom.ts';

/** Marks the stored choice in the menu; the inline script of the head applies it. */
function showChoice(): void {
  const choice = local.getItem('theme');
  const option = find<HTMLInputElement>(
    `input[name=theme][value=${choice === 'light' || choice === 'dark' ? choice : 'system'}]`,
  );
  if (option) option.checked = true;
}

/** The theme menu: Light, Dark, System; other tabs follow by the `storage` event. */
export function startTheme(): void {
  on('change', 'input[name=theme]', (input) => {
    local.setItem('theme', (input as HTMLInputElement).value);
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
  });
  // A pointer's choice closes the menu; the arrow keys, which choose as they move, leave it open.
  on('click', '.theme-option', (_, event) => {
    if (event.detail > 0) find('#theme-menu')?.hidePopover();
  });
  // The choices are one stop of the keyboard: Tab leaves the menu, Enter is done with it.
  on('keydown', '#theme-menu', (menu, { key }) => {
    if (key === 'Tab' || key === 'Enter') menu.hidePopover();
  });
  // This event does not bubble, and comes before the focus can move in.
  document.addEventListener(
    'beforetoggle',
    (event) => (event.target as Element).id === 'theme-menu' && showChoice(),
    true,
  );
}

import { local } from '../../../../client/storage.ts';

const name = 'shortcuts';

/** Whether the person wants the keys of the page; they work unless they were turned off. */
export const shortcutsOn = (): boolean => local.getItem(name) !== 'off';

/** Turns the keys of the page on or off, in all tabs of this browser. */
export function setShortcuts(on: boolean): void {
  if (on) local.removeItem(name);
  else local.setItem(name, 'off');
}

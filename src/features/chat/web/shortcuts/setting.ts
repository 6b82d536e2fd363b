const name = 'shortcuts';

/** Whether the person wants the keys of the page; they work unless they were turned off. */
export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(name) !== 'off';
  } catch {
    return true;
  }
}

/** Turns the keys of the page on or off, in all tabs of this browser. */
export function setShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(name);
    else localStorage.setItem(name, 'off');
  } catch {
    // Without storage they stay on.
  }
}

/** What a key of the page does. */
export type ShortcutName = 'new' | 'search' | 'sidebar' | 'focus' | 'code' | 'stop' | 'help';

export interface Shortcut {
  name: ShortcutName;
  /** What it does, in the words of the help. */
  does: string;
  /** Command on Apple's keyboards, Control on others. */
  mod?: true;
  /** 'any' where layouts differ in whether the character needs Shift. */
  shift?: true | 'any';
  /** `KeyboardEvent.key`, lower case; others are what the same key gives with Shift. */
  keys: [string, ...string[]];
  /** `KeyboardEvent.code`, for layouts whose letters are not Latin. */
  code?: string;
}

/** All keys of the chat page; the help lists them in this order. */
export const shortcuts: readonly Shortcut[] = [
  { name: 'new', does: 'New chat', mod: true, shift: true, keys: ['o'], code: 'KeyO' },
  { name: 'search', does: 'Search chats', mod: true, keys: ['k'], code: 'KeyK' },
  { name: 'sidebar', does: 'Show or hide the sidebar', mod: true, shift: true, keys: ['s'], code: 'KeyS' },
  { name: 'focus', does: 'Go to the message box', shift: true, keys: ['escape'] },
  { name: 'code', does: 'Copy the last code block', mod: true, shift: true, keys: [';', ':'] },
  { name: 'stop', does: 'Stop the running reply', keys: ['escape'] },
  { name: 'help', does: 'Keyboard shortcuts', mod: true, shift: 'any', keys: ['/'] },
];

/** The part of a KeyboardEvent that decides. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const isLatin = (key: string) => /^[\x20-\x7e]+$/.test(key);

function fits(shortcut: Shortcut, event: Pressed, apple: boolean): boolean {
  const [mod, other] = apple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== (shortcut.mod ?? false) || other || event.altKey) return false;
  if (shortcut.shift !== 'any' && event.shiftKey !== (shortcut.shift ?? false)) return false;
  const key = event.key.toLowerCase();
  return shortcut.keys.includes(key) || (!isLatin(key) && event.code === shortcut.code);
}

/** The shortcut that a key event asks for. */
export const shortcutOf = (event: Pressed, apple: boolean): ShortcutName | undefined =>
  shortcuts.find((shortcut) => fits(shortcut, event, apple))?.name;

const names: Record<string, string> = { escape: 'Esc' };

/** The keys of a shortcut as they are printed on them. */
export const keysOf = ({ mod, shift, keys: [key] }: Shortcut, apple: boolean): string[] => [
  ...(mod ? [apple ? 'Cmd' : 'Ctrl'] : []),
  ...(shift === true ? ['Shift'] : []),
  names[key] ?? key.toUpperCase(),
];

/** Whether the visitor's keyboard has a Command key. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

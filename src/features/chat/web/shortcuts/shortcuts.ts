import { local } from '#client/storage.ts';
import { m } from '#messages';

export type ShortcutName = 'new' | 'search' | 'sidebar' | 'focus' | 'code' | 'stop' | 'help';

interface Shortcut {
  name: ShortcutName;
  describe: () => string;
  /** Command on Apple keyboards, Control on others. */
  mod?: true;
  /** 'any' where layouts differ in whether the character needs Shift. */
  shift?: true | 'any';
  /** `KeyboardEvent.key`, lower case; further entries are what the same key gives with Shift. */
  keys: [string, ...string[]];
  /** `KeyboardEvent.code`, for layouts without Latin letters. */
  code?: string;
}

export const shortcuts: readonly Shortcut[] = [
  { name: 'new', describe: () => m.chat_new(), mod: true, shift: true, keys: ['o'], code: 'KeyO' },
  { name: 'search', describe: () => m.chat_search_open(), mod: true, keys: ['k'], code: 'KeyK' },
  {
    name: 'sidebar',
    describe: () => m.chat_shortcut_sidebar(),
    mod: true,
    shift: true,
    keys: ['s'],
    code: 'KeyS',
  },
  { name: 'focus', describe: () => m.chat_shortcut_focus(), shift: true, keys: ['escape'] },
  { name: 'code', describe: () => m.chat_shortcut_code(), mod: true, shift: true, keys: [';', ':'] },
  { name: 'stop', describe: () => m.chat_shortcut_stop(), keys: ['escape'] },
  { name: 'help', describe: () => m.chat_shortcuts(), mod: true, shift: 'any', keys: ['/'] },
];

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const isLatin = (key: string) => /^[\x20-\x7e]+$/.test(key);

function matchesKey(shortcut: Shortcut, event: KeyPress, apple: boolean): boolean {
  const [mod, other] = apple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (mod !== (shortcut.mod ?? false) || other || event.altKey) return false;
  if (shortcut.shift !== 'any' && event.shiftKey !== (shortcut.shift ?? false)) return false;
  const key = event.key.toLowerCase();
  return shortcut.keys.includes(key) || (!isLatin(key) && event.code === shortcut.code);
}

export const findShortcut = (event: KeyPress, apple: boolean): ShortcutName | undefined =>
  shortcuts.find((shortcut) => matchesKey(shortcut, event, apple))?.name;

const names: Record<string, string> = { escape: 'Esc' };

export const keyLabels = ({ mod, shift, keys: [key] }: Shortcut, apple: boolean): string[] => [
  ...(mod ? [apple ? 'Cmd' : 'Ctrl'] : []),
  ...(shift === true ? ['Shift'] : []),
  names[key] ?? key.toUpperCase(),
];

export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const settingKey = 'shortcuts';

export const shortcutsOn = (): boolean => local.getItem(settingKey) !== 'off';

export function setShortcuts(on: boolean): void {
  if (on) local.removeItem(settingKey);
  else local.setItem(settingKey, 'off');
}

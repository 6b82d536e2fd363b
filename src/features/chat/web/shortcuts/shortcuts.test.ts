import { describe, expect, test } from 'vitest';
import { findShortcut, type KeyPress, keyLabels, shortcuts } from './shortcuts.ts';

function press(text: string, code = ''): KeyPress {
  const parts = text.split('+');
  const has = (name: string) => parts.slice(0, -1).includes(name);
  return {
    key: parts.at(-1) ?? '',
    code,
    ctrlKey: has('ctrl'),
    metaKey: has('meta'),
    altKey: has('alt'),
    shiftKey: has('shift'),
  };
}

describe('keys', () => {
  test.each([
    ['ctrl+shift+O', 'new'],
    ['ctrl+k', 'search'],
    ['ctrl+K', 'search'],
    ['ctrl+/', 'help'],
    // The slash of a German keyboard is Shift and 7.
    ['ctrl+shift+/', 'help'],
    ['shift+Escape', 'focus'],
    ['Escape', 'stop'],
    ['ctrl+shift+S', 'sidebar'],
    ['ctrl+shift+:', 'code'],
    ['ctrl+shift+;', 'code'],
    ['ctrl+o', undefined],
    ['ctrl+shift+K', undefined],
    ['ctrl+alt+k', undefined],
    ['meta+k', undefined],
    ['ctrl+meta+k', undefined],
    ['ctrl+Escape', undefined],
    ['k', undefined],
    ['/', undefined],
    ['ctrl+s', undefined],
    ['ctrl+;', undefined],
  ])('%s is %s if Control is the modifier', (text, name) => {
    expect(findShortcut(press(text), false)).toBe(name);
  });

  test.each([
    ['meta+shift+o', 'new'],
    ['meta+k', 'search'],
    ['ctrl+k', undefined],
    ['meta+ctrl+k', undefined],
    ['Escape', 'stop'],
  ])('%s is %s on an Apple keyboard', (text, name) => {
    expect(findShortcut(press(text), true)).toBe(name);
  });

  test('matches non-Latin letters by their position on the keyboard, but not Latin ones', () => {
    expect(findShortcut(press('ctrl+л', 'KeyK'), false)).toBe('search');
    expect(findShortcut(press('ctrl+t', 'KeyK'), false)).toBeUndefined();
    expect(findShortcut(press('ctrl+k', 'KeyV'), false)).toBe('search');
  });

  test('no two shortcuts have the same keys', () => {
    const shown = shortcuts.map((shortcut) => keyLabels(shortcut, false).join('+'));
    expect(new Set(shown).size).toBe(shortcuts.length);
    expect(shown).toContain('Ctrl+Shift+O');
    expect(keyLabels(shortcuts[0]!, true)).toEqual(['Cmd', 'Shift', 'O']);
  });
});

import { expect, test } from 'vitest';
import { type RecalledMessage, recallMessage } from './use-text-box.ts';

const sent = ['third', 'second', 'first'];

function press(value: string, ...keys: (1 | -1)[]): string {
  let shown: RecalledMessage | null = null;
  let text = value;
  for (const by of keys) {
    const next = recallMessage(sent, text, shown, by);
    if (!next) continue;
    shown = next;
    text = next.text;
  }
  return text;
}

test('ArrowUp goes back through the sent messages and stops at the first', () => {
  expect(press('', 1)).toBe('third');
  expect(press('', 1, 1)).toBe('second');
  expect(press('', 1, 1, 1, 1)).toBe('first');
});

test('ArrowDown goes forward and ends with an empty box', () => {
  expect(press('', 1, 1, -1)).toBe('third');
  expect(press('', 1, -1)).toBe('');
  expect(press('', -1)).toBe('');
});

test('text that the person typed or changed is not replaced', () => {
  expect(press('mine', 1)).toBe('mine');
  expect(recallMessage(sent, 'third, changed', { at: 0, text: 'third' }, 1)).toBeNull();
  expect(recallMessage(sent, '', { at: 2, text: 'first' }, 1)).toEqual({ at: 0, text: 'third' });
});

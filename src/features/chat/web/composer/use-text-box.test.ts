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

test('up goes back through what was sent and stays at the first', () => {
  expect(press('', 1)).toBe('third');
  expect(press('', 1, 1)).toBe('second');
  expect(press('', 1, 1, 1, 1)).toBe('first');
});

test('down goes forward and ends with an empty box', () => {
  expect(press('', 1, 1, -1)).toBe('third');
  expect(press('', 1, -1)).toBe('');
  expect(press('', -1)).toBe('');
});

test('a text of the writer’s own, or a changed one, is left alone', () => {
  expect(press('mine', 1)).toBe('mine');
  expect(recallMessage(sent, 'third, changed', { at: 0, text: 'third' }, 1)).toBeNull();
  expect(recallMessage(sent, '', { at: 2, text: 'first' }, 1)).toEqual({ at: 0, text: 'third' });
});

import { expect, test } from 'vitest';
import { spacedText } from './insert-text.ts';

test.each([
  ['', 'Good morning.', '', 'Good morning.'],
  ['Hello', 'Good morning.', '', ' Good morning.'],
  ['Hello.', 'Good morning.', 'Bye', ' Good morning. '],
  ['Hello ', 'Good morning.', ', then', 'Good morning.'],
  ['Hello\n', 'Good morning.', '\nBye', 'Good morning.'],
  ['你好', '早上好。', '再见', '早上好。'],
  ['مرحبا', 'صباح الخير.', '', ' صباح الخير.'],
])('%j, %j, %j: texts are separated as their scripts require', (before, dictated, after, inserted) => {
  expect(spacedText(before, dictated, after)).toBe(inserted);
});

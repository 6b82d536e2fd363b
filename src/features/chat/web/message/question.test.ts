import { expect, test } from 'vitest';
import { collapseAt } from './question.tsx';

test.each([
  ['a word', undefined],
  ['x'.repeat(800), undefined],
  ['line\n'.repeat(20), undefined],
  ['line\n'.repeat(30), 'wide'],
  ['x'.repeat(1_500), 'narrow'],
  ['x'.repeat(8_000), 'wide'],
])('collapses long questions (%#)', (text, fold) => {
  expect(collapseAt(text)).toBe(fold);
});

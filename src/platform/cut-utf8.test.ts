import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endWithin, startWithin } from './cut-utf8.server.ts';

it('drops a character that does not fit completely', () => {
  expect([5, 4, 3, 2, 1, 0, -1].map((bytes) => startWithin('a😀', bytes))).toEqual([
    'a😀',
    ...['a', 'a', 'a', 'a', '', ''],
  ]);
  expect([5, 4, 3, 2, 1, 0, -1].map((bytes) => endWithin('😀a', bytes))).toEqual([
    '😀a',
    ...['a', 'a', 'a', 'a', '', ''],
  ]);
});

it('keeps replacement characters', () => {
  expect(startWithin('a\ufffdé', 5)).toBe('a\ufffd');
  expect(endWithin('é\ufffda', 5)).toBe('\ufffda');
});

it('keeps as many complete characters as fit', () => {
  const texts = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(texts, fc.nat({ max: 60 }), (text, bytes) => {
      const [start, end] = [startWithin(text, bytes), endWithin(text, bytes)];
      expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
      for (const part of [start, end]) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(bytes);
      const [next = ''] = text.slice(start.length);
      const last = [...text.slice(0, text.length - end.length)].at(-1) ?? '';
      if (next !== '') expect(Buffer.byteLength(start + next)).toBeGreaterThan(bytes);
      if (last !== '') expect(Buffer.byteLength(last + end)).toBeGreaterThan(bytes);
    }),
  );
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endWithin, startWithin } from './cut-utf8.server.ts';

it('keeps no part of a character that is cut through', () => {
  expect([5, 4, 3, 2, 1, 0, -1].map((bytes) => startWithin('a😀', bytes))).toEqual([
    'a😀',
    ...['a', 'a', 'a', 'a', '', ''],
  ]);
  expect([5, 4, 3, 2, 1, 0, -1].map((bytes) => endWithin('😀a', bytes))).toEqual([
    '😀a',
    ...['a', 'a', 'a', 'a', '', ''],
  ]);
});

it('leaves the mark of what was unreadable where it was', () => {
  expect(startWithin('a\ufffdé', 5)).toBe('a\ufffd');
  expect(endWithin('é\ufffda', 5)).toBe('\ufffda');
});

it('keeps the longest start and the longest end of whole characters', () => {
  const texts = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(texts, fc.nat({ max: 60 }), (text, bytes) => {
      const [start, end] = [startWithin(text, bytes), endWithin(text, bytes)];
      expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
      for (const kept of [start, end]) expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(bytes);
      const [next = ''] = text.slice(start.length);
      const last = [...text.slice(0, text.length - end.length)].at(-1) ?? '';
      if (next !== '') expect(Buffer.byteLength(start + next)).toBeGreaterThan(bytes);
      if (last !== '') expect(Buffer.byteLength(last + end)).toBeGreaterThan(bytes);
    }),
  );
});

import { expect, test } from 'vitest';
import { allocateTextBytes, textBytesWithImages } from './allocate-text-bytes.ts';

const pdf = (textBytes: number) => ({ kind: 'pdf' as const, textBytes });
const image = { kind: 'image' as const, textBytes: null };

test('sends documents that fit together in full', () => {
  expect(allocateTextBytes([pdf(9_000), image, pdf(18_000), pdf(1_000)])).toEqual([9_000, 0, 18_000, 1_000]);
  expect(allocateTextBytes([image, image])).toEqual([0, 0]);
  expect(allocateTextBytes([])).toEqual([]);
});

test('otherwise sends short documents in full and equal shares of longer ones', () => {
  expect(allocateTextBytes([pdf(28_000), pdf(2_000), pdf(27_000)])).toEqual([13_000, 2_000, 13_000]);
  expect(allocateTextBytes(Array.from({ length: 10 }, () => pdf(28_000)))).toEqual(Array(10).fill(2_800));
  expect(allocateTextBytes(Array.from({ length: 3 }, () => pdf(28_000)))).toEqual(Array(3).fill(9_333));
});

test('leaves less space for text next to many images, but never none', () => {
  expect([0, 3, 4, 9, 10].map(textBytesWithImages)).toEqual([28_000, 28_000, 26_600, 7_350, 3_500]);
});

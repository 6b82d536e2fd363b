import { expect, test } from 'vitest';
import { shareText, textBytesBeside } from './share-text.ts';

const pdf = (textBytes: number) => ({ kind: 'pdf' as const, textBytes });
const image = { kind: 'image' as const, textBytes: null };

test('documents that fit together are sent whole', () => {
  expect(shareText([pdf(9_000), image, pdf(18_000), pdf(1_000)])).toEqual([9_000, 0, 18_000, 1_000]);
  expect(shareText([image, image])).toEqual([0, 0]);
  expect(shareText([])).toEqual([]);
});

test('of others the short ones are, and the longer ones have as much as each other', () => {
  expect(shareText([pdf(28_000), pdf(2_000), pdf(27_000)])).toEqual([13_000, 2_000, 13_000]);
  expect(shareText(Array.from({ length: 10 }, () => pdf(28_000)))).toEqual(Array(10).fill(2_800));
  expect(shareText(Array.from({ length: 3 }, () => pdf(28_000)))).toEqual(Array(3).fill(9_333));
});

test('beside many images there is less room for text, never none', () => {
  expect([0, 3, 4, 9, 10].map(textBytesBeside)).toEqual([28_000, 28_000, 26_600, 7_350, 3_500]);
});

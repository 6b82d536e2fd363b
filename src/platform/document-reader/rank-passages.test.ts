import { expect, it } from 'vitest';
import { rankPassages } from './rank-passages.server.ts';

it("ranks passages by the question's words that are rare in the document, and returns them in its order", () => {
  const pages = Array.from({ length: 40 }, (_, n) => ({
    page: n + 1,
    text: `The river rose.\nThe gauge of page ${n + 1} reports${[7, 30].includes(n + 1) ? ' a zeppelin' : ''}.`,
  }));
  const question = 'Which zeppelins does the river report?';
  const found = rankPassages(pages, { question, bytes: 157 });
  expect(found.map(({ page }) => page)).toEqual([7, 30]);
  const none = rankPassages(pages, { question: 'Who?', bytes: 140 });
  expect(none.map(({ page }) => page)).toEqual([1, 2]);
});

it('keeps passages within the limit even if a line is longer', () => {
  const page = { page: 1, text: 'zeppelin é '.repeat(50_000) };
  const [found, ...more] = rankPassages([page], { question: 'zeppelin', bytes: 1_750 });
  expect(more).toEqual([]);
  expect(Buffer.byteLength(found!.text)).toBeLessThanOrEqual(1_750);
  expect(found!.text).not.toContain('\ufffd');
});

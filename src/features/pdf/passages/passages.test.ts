import { expect, it } from 'vitest';
import { passagesFor } from './service.server.ts';

const rest = () => Promise.resolve();

it('fit a question by the words that are rare in the document, in its order', async () => {
  const pages = Array.from({ length: 40 }, (_, n) => ({
    page: n + 1,
    text: `The river rose.\nThe gauge of page ${n + 1} reports${[7, 30].includes(n + 1) ? ' a zeppelin' : ''}.`,
  }));
  const question = 'Which zeppelins does the river report?';
  const found = await passagesFor(pages, { question, tokens: 45, rest });
  expect(found.map(({ page }) => page)).toEqual([7, 30]);
  const none = await passagesFor(pages, { question: 'Who?', tokens: 40, rest });
  expect(none.map(({ page }) => page)).toEqual([1, 2]);
});

it('hold no more than they may, whatever a line has, and rest while they are sought', async () => {
  let rests = 0;
  const page = { page: 1, text: 'zeppelin é '.repeat(50_000) };
  const [found, ...more] = await passagesFor([page], {
    question: 'zeppelin',
    tokens: 500,
    rest: async () => void rests++,
  });
  expect(more).toEqual([]);
  expect(Buffer.byteLength(found!.text)).toBeLessThanOrEqual(1_750);
  expect(found!.text).not.toContain('\ufffd');
  expect(rests).toBeGreaterThan(400);
});

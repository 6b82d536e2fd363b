import { expect, test } from 'vitest';
import { batchedRead } from './batched-read.server.ts';

/** Reads that end only when the test ends them. */
function pausedReads() {
  const reads: Array<{ inputs: number[]; answer(): void; fail(error: Error): void }> = [];
  const read = batchedRead<number, string>(
    String,
    (inputs) =>
      new Promise((resolve, reject) => {
        const odd = inputs.filter((input) => input % 2 === 1);
        const answer = () => resolve(new Map(odd.map((input) => [String(input), `row ${input}`])));
        reads.push({ inputs, answer, fail: reject });
      }),
  );
  return { read, reads };
}

test('runs two reads at once, and combines inputs that arrive meanwhile in the next', async () => {
  const { read, reads } = pausedReads();
  const answers = [1, 2, 3, 4, 3].map((input) => read(input));
  expect(reads.map(({ inputs }) => inputs)).toEqual([[1], [2]]);
  reads[1]?.answer();
  expect(await answers[1]).toBeNull();
  expect(reads[2]?.inputs).toEqual([3, 4, 3]);
  reads[2]?.answer();
  expect(await Promise.all(answers.slice(2))).toEqual(['row 3', null, 'row 3']);
  reads[0]?.answer();
  expect(await answers[0]).toBe('row 1');
  expect(reads).toHaveLength(3);
});

test('a failed read rejects only its own inputs, and the next one runs', async () => {
  const { read, reads } = pausedReads();
  const answers = [1, 3, 5, 7].map((input) => read(input));
  const failed = Promise.allSettled(answers.slice(0, 2));
  reads[0]?.fail(new Error('away'));
  reads[1]?.fail(new Error('away'));
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(reads[2]?.inputs).toEqual([5, 7]);
  reads[2]?.answer();
  expect(await Promise.all(answers.slice(2))).toEqual(['row 5', 'row 7']);
});

import { describe, expect, test } from 'vitest';
import { documentFrameTokens } from '../attachments/attachment-parts.server.ts';
import { fitKnowledge } from './fit-knowledge.server.ts';

const text = (name: string, textBytes: number) => ({
  id: name,
  kind: 'pdf' as const,
  name,
  textBytes,
  of: 'project' as const,
});
const image = (name: string) => ({
  id: name,
  kind: 'image' as const,
  name,
  textBytes: null,
  of: 'assistant' as const,
});
const unlimited = { tokens: 100_000, seesImages: true };

const fittedNames = (...[files, limits]: Parameters<typeof fitKnowledge>) => {
  const { files: fitted, leftOut, tokens } = fitKnowledge(files, limits);
  return { sent: fitted.map(({ file, sent }) => [file.name, sent]), leftOut, tokens };
};

describe('the part of a project’s files that goes to the model', () => {
  test('is everything, in the order of the files, if it fits', () => {
    expect(fittedNames([text('a', 7_000), image('b'), text('c', 350)], unlimited)).toEqual({
      sent: [
        ['a', 7_000],
        ['b', 0],
        ['c', 350],
      ],
      leftOut: [],
      tokens: 2_000 + 1_100 + 100 + 2 * documentFrameTokens,
    });
    expect(fittedNames([], unlimited)).toEqual({ sent: [], leftOut: [], tokens: 0 });
  });

  test('is, for many files, the same share as for those of a message', () => {
    const { sent, leftOut } = fittedNames(
      [text('a', 28_000), text('b', 2_000), text('c', 27_000)],
      unlimited,
    );
    expect(sent.map(([, bytes]) => bytes)).toEqual([13_000, 2_000, 13_000]);
    expect(leftOut).toEqual([
      { name: 'a', percent: 46 },
      { name: 'c', percent: 48 },
    ]);
  });

  test('has at most ten images, and none for a model that cannot see images', () => {
    const images = Array.from({ length: 12 }, (_, at) => image(`${at}`));
    expect(fittedNames(images, unlimited).sent).toHaveLength(10);
    expect(fittedNames(images, unlimited).leftOut).toEqual([
      { name: '10', percent: 0 },
      { name: '11', percent: 0 },
    ]);
    expect(fittedNames(images, { ...unlimited, seesImages: false })).toMatchObject({ sent: [], tokens: 0 });
  });

  test('never exceeds the available tokens', () => {
    const files = [text('a', 28_000), image('b'), text('c', 900), image('d'), text('e', 14_000)];
    for (let tokens = 0; tokens < 14_000; tokens += 37) {
      const fitted = fittedNames(files, { tokens, seesImages: true });
      expect(fitted.tokens, `${tokens}`).toBeLessThanOrEqual(tokens);
      const named = new Set([
        ...fitted.sent.map(([name]) => name),
        ...fitted.leftOut.map(({ name }) => name),
      ]);
      expect(named.size, `${tokens}`).toBe(files.length);
    }
    expect(fittedNames(files, { tokens: 0, seesImages: true }).leftOut).toHaveLength(5);
  });
});

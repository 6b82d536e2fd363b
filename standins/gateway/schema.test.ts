import { expect, test } from 'vitest';
import { z } from 'zod';
import { composeJson } from './schema.ts';

const TEXT = `Page 2
The harbour was built in stone. Ships came from the north every summer.
Page 7
The market closed early. A serious fire followed in the harbour.`;

const cases = {
  article: z.strictObject({
    title: z.string().min(3).max(60),
    tone: z.enum(['funny', 'serious']),
    sections: z
      .array(z.strictObject({ heading: z.string(), body: z.string().min(30) }))
      .min(2)
      .max(4),
    words: z.int().min(1),
  }),
  analysis: z.strictObject({
    summary: z.string(),
    quotes: z.array(z.strictObject({ text: z.string(), page: z.int().nullable() })).length(3),
    rating: z.number().gte(0).lt(1),
    tags: z.tuple([z.string(), z.string()]),
    kind: z.literal('report'),
    stone: z.boolean(),
    choice: z.union([z.null(), z.strictObject({ name: z.string() })]),
    at: z.iso.date(),
    link: z.url(),
    step: z.int().multipleOf(5).min(7).max(30),
  }),
};

test.each(Object.entries(cases))('%s follows its schema', (_name, schema) => {
  const made = JSON.parse(composeJson(z.toJSONSchema(schema) as Record<string, unknown>, TEXT));
  expect(schema.safeParse(made).error).toBeUndefined();
});

test('is filled from the input', () => {
  const made = JSON.parse(composeJson(z.toJSONSchema(cases.analysis) as Record<string, unknown>, TEXT));
  expect(TEXT).toContain(made.quotes[0].text);
  expect([2, 7]).toContain(made.quotes[0].page);
  expect(made.stone).toBe(true);
  const article = JSON.parse(composeJson(z.toJSONSchema(cases.article) as Record<string, unknown>, TEXT));
  expect(article.tone).toBe('serious');
});

test('a schema that refers to itself ends', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name', 'children'],
  };
  expect(JSON.parse(composeJson(tree, TEXT)).children[0].children).toBeInstanceOf(Array);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerInJson } from './json-answer.ts';

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
  const answer = JSON.parse(answerInJson(z.toJSONSchema(schema) as Record<string, unknown>, TEXT));
  expect(schema.safeParse(answer).error).toBeUndefined();
});

test('an answer is filled from the input', () => {
  const analysis = JSON.parse(answerInJson(z.toJSONSchema(cases.analysis) as Record<string, unknown>, TEXT));
  expect(TEXT).toContain(analysis.quotes[0].text);
  expect([2, 7]).toContain(analysis.quotes[0].page);
  expect(analysis.stone).toBe(true);
  const article = JSON.parse(answerInJson(z.toJSONSchema(cases.article) as Record<string, unknown>, TEXT));
  expect(article.tone).toBe('serious');
});

test('a recursive schema ends', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name', 'children'],
  };
  expect(JSON.parse(answerInJson(tree, TEXT)).children[0].children).toBeInstanceOf(Array);
});

const quotes = z.array(z.strictObject({ page: z.int(), words: z.string() }));
const DOCUMENT = `----- begin of document x -----
[Page 1]
The harbour was built by masons in the year
1901. It was the largest har-
bour of the north.
[Page 2]
The market closed early because of a serious fire. [[invented:100]]
----- end of document x -----`;
const answerTo = <T extends z.ZodType>(schema: T, text: string, markers = false): z.infer<T> =>
  schema.parse(JSON.parse(answerInJson(z.toJSONSchema(schema) as Record<string, unknown>, text, markers)));

test('statements about a document quote its pages literally, unless a marker requests false quotes', () => {
  const schema = z.strictObject({
    statements: z.array(z.strictObject({ text: z.string(), quotes })),
    keywords: z.array(z.string()),
  });
  const { statements, keywords } = answerTo(schema, DOCUMENT);
  const words = [
    'The harbour was built by masons in the year 1901.',
    'It was the largest harbour of the north.',
    'The market closed early because of a serious fire.',
  ];
  expect(statements.map(({ text }) => text)).toEqual(words);
  const [first, , last] = statements;
  expect([first?.quotes, last?.quotes]).toEqual([
    [{ page: 1, words: words[0] }],
    [{ page: 2, words: words[2] }],
  ]);
  expect(keywords).toContain('harbour');
  const invented = answerTo(schema, DOCUMENT, true).statements.flatMap((each) => each.quotes);
  for (const quote of invented) expect(words).not.toContain(quote.words);
});

test('a question is answered with sentences that share its words, or not at all', () => {
  const schema = z.strictObject({
    answered: z.boolean(),
    statements: z.array(z.strictObject({ text: z.string(), quotes })),
  });
  const answer = (question: string) => answerTo(schema, `${DOCUMENT}\n\nThe question:\n${question}`);
  expect(answer('Why did the market close after the fire?')).toMatchObject({
    answered: true,
    statements: [{ text: 'The market closed early because of a serious fire.' }],
  });
  expect(answer('Which zeppelin xylophone?')).toEqual({ answered: false, statements: [] });
});

test('a summary of numbered statements names their numbers', () => {
  const schema = z.strictObject({
    summary: z.array(z.strictObject({ text: z.string(), from: z.array(z.int()) })),
    questions: z.array(z.int()),
  });
  const text = 'Statements:\n1. Ships came.\n2. The market closed.\n\nQuestions:\n1. What came?\n2. Why?';
  expect(answerTo(schema, text)).toEqual({
    summary: [
      { text: 'Ships came.', from: [1] },
      { text: 'The market closed.', from: [2] },
    ],
    questions: [1, 2],
  });
});

import { describe, expect, test } from 'vitest';
import { chatModelLine, chatModelList } from './chat-model-lines.server.ts';

const parseLines = (...lines: unknown[]) => {
  const { data, error } = chatModelList.safeParse(lines);
  return data ?? error?.issues[0]?.message;
};
const defaults = {
  about: '',
  context: null,
  seesImages: false,
  thinks: false,
  credits: null,
  pro: false,
  fallbacks: [] as string[],
};

describe('the list of models', () => {
  test('accepts lines, the models parsed from them, and an empty list', () => {
    const models = [
      { ...defaults, id: 'maker/a', name: 'A' },
      {
        id: 'maker/b:free',
        name: 'Bé 2',
        about: 'Long texts',
        context: 128_000,
        seesImages: true,
        thinks: true,
        credits: 5,
        pro: true,
        fallbacks: ['maker/a', 'maker/c'],
      },
    ];
    expect(
      parseLines(
        ' maker/a|A ',
        'maker/b:free | Bé  2 | Long texts | Pro, images,thinks , 5 credits, context 128000, fallback maker/a, fallback maker/c',
      ),
    ).toEqual(models);
    expect(parseLines(...models)).toEqual(models);
    expect(parseLines(...models.map(chatModelLine))).toEqual(models);
    expect(parseLines()).toEqual([]);
    expect(models.map(chatModelLine)).toEqual([
      'maker/a | A',
      'maker/b:free | Bé 2 | Long texts | images, thinks, pro, 5 credits, context 128000, fallback maker/a, fallback maker/c',
    ]);
  });

  test.each([
    [['maker/a'], /^line 1 must be ID \| NAME/],
    [['maker/a | A | b | pro | more'], /^line 1 must be ID/],
    [['a b | A'], /^line 1 must start with its ID/],
    [[`${'x'.repeat(201)} | A`], /^line 1 must start with its ID/],
    [['a | <b>A</b>'], /^line 1 must have a name/],
    [[`a | ${'x'.repeat(41)}`], /^line 1 must have a name/],
    [[`a | A | ${'x'.repeat(121)}`], /^line 1 must say what it is good for in up to 120/],
    [['a | A', 'b | B | | cheap'], /^line 2 has the unknown option "cheap"/],
    [['a | A', 'b | B | | 0 credits'], /^line 2 must cost 1 to 10000/],
    [['a | A', 'b | B | | 10001 credits'], /^line 2 must cost/],
    [['a | A', 'b | B | | -1 credits'], /^line 2 has the unknown option "-1 credits"/],
    [['a | A', 'b | B | | context 999'], /^line 2 must have a context/],
    [['a | A | | pro'], /^line 1 must be open to everyone/],
    [['a | A | | 2 credits'], /^line 1 has the price of a chat message/],
    [['a | A | | fallback b, fallback c, fallback d, fallback e'], /^line 1 must have at most 3 fallbacks/],
    [['a | A', 'a | B'], /^line 2 repeats the ID or name of another/],
    [['a | A', 'b | A'], /^line 2 repeats the ID or name of another/],
    [[{ id: 'a', name: 'A' }], /^line 1 must/],
    [[{ ...defaults, id: 'a', name: 'A', more: 1 }], /^line 1 must be ID/],
    [[7], /^line 1 must be ID/],
    [Array.from({ length: 21 }, (_, at) => `m${at} | M ${at}`), /^must have 20 lines or less/],
  ])('refuses %j', (lines, problem) => expect(parseLines(...lines)).toMatch(problem));
});

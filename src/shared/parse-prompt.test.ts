import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { type Part, parsePrompt, type Variable, variablesOf } from './parse-prompt.ts';

const sourceOf = (parts: Part[]) =>
  parts.map((part) => ('variable' in part ? part.source : part.text)).join('');
const firstVariable = (source: string): Variable | undefined => variablesOf(parsePrompt(source))[0];

describe('a variable', () => {
  test.each<[string, Partial<Variable>]>([
    ['{{name}}', { name: 'name', type: 'text', required: false, default: '' }],
    ['{{ name }}', { name: 'name' }],
    ['{{name | text:required}}', { type: 'text', required: true }],
    ['{{ort|textarea:placeholder="Wo?"}}', { type: 'textarea', placeholder: 'Wo?' }],
    [
      '{{tone | select:options=["Formal","Casual"]:default="Formal"}}',
      { type: 'select', options: ['Formal', 'Casual'], default: 'Formal' },
    ],
    ['{{n | number:min=1:max=10:default=5}}', { type: 'number', min: 1, max: 10, default: '5' }],
    ['{{n|number:min=-2.5}}', { min: -2.5 }],
    ['{{q|text:default="say \\"hi\\" }} : |"}}', { default: 'say "hi" }} : |' }],
    ['{{straße}}', { name: 'straße' }],
    ['{{a | :required}}', { type: 'text', required: true }],
  ])('%s', (source, expected) => {
    expect(firstVariable(source)).toMatchObject(expected);
    expect(parsePrompt(source)).toHaveLength(1);
  });

  test.each([
    '{{}}',
    '{{ }}',
    '{{1a}}',
    '{{a b}}',
    '{{a',
    '{{a}',
    '{{a | date}}',
    '{{a | select}}',
    '{{a | select:options=[]}}',
    '{{a | select:options=["x"]:default="y"}}',
    '{{a | text:options=["x"]}}',
    '{{a | number:default=7:max=5}}',
    '{{a | number:default="x"}}',
    '{{a | number:min=5:max=1}}',
    '{{a | text:min=1}}',
    '{{a | text:default=x}}',
    '{{a | text:required=true}}',
    '{{a | text:constructor="x"}}',
    `{{${'a'.repeat(41)}}}`,
    '{ {a} }',
    '{{a | text:default="\n"}}',
  ])('%s is text', (source) => {
    expect(parsePrompt(source)).toEqual([{ text: source }]);
  });

  test('a second mention refers to the first variable', () => {
    const parts = parsePrompt('{{n | number:default=3}} and {{n}} and {{n | text}}');
    expect(variablesOf(parts)).toHaveLength(1);
    expect(parts).toHaveLength(5);
  });

  test('braces before a variable are text', () => {
    expect(parsePrompt('{{{a}}}')).toMatchObject([{ text: '{' }, { source: '{{a}}' }, { text: '}' }]);
  });
});

const piece = fc.constantFrom(
  '{{',
  '}}',
  '{',
  '}',
  'a',
  ' ',
  '|',
  ':',
  'text',
  'select',
  'options=',
  '["x"]',
  '"',
  '\\',
  'default=',
  '\n',
  '😀',
);
const hostile = fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('for any text', () => {
  test('the parts together are the source', () => {
    fc.assert(fc.property(hostile, (source) => sourceOf(parsePrompt(source)) === source));
  });

  test('parsing the same text again gives the same parts', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const parts = parsePrompt(source);
        expect(parsePrompt(sourceOf(parts))).toEqual(parts);
      }),
    );
  });

  test.each([
    ['braces', '{{'],
    ['names', '{{a '],
    ['open lists', '{{a|select:options=["x",'],
    ['open texts', '{{a|text:default="'],
    ['backslashes', '{{a|text:default="\\\\'],
  ])('takes linear time for hostile %s', (_, unit) => {
    const measure = (length: number) => {
      const source = unit.repeat(Math.ceil(length / unit.length));
      return cpuTime(() => {
        for (let round = 0; round < 3; round++) parsePrompt(source);
      });
    };
    measure(20_000);
    // 16 times the length; a quadratic parser takes 256 times as long.
    expect(measure(320_000)).toBeLessThan(64 * Math.max(measure(20_000), 4));
  });
});

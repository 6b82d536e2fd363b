import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillParts, fillPrompt, valueProblem, variableLabel } from './fill-prompt.ts';
import { parsePrompt, variablesOf } from './parse-prompt.ts';

const fill = (source: string, values: Record<string, string> = {}) => fillPrompt(parsePrompt(source), values);

describe('filling in', () => {
  test('inserts values and defaults, and leaves the rest empty', () => {
    const source =
      'Write to {{who}} in a {{tone | select:options=["kind","firm"]:default="kind"}} tone.{{more}}';
    expect(fill(source, { who: 'Ada' })).toBe('Write to Ada in a kind tone.');
    expect(fill(source, { who: 'Ada', tone: 'firm', more: ' Soon.' })).toBe(
      'Write to Ada in a firm tone. Soon.',
    );
  });

  test('leaves out a label without a value', () => {
    const source = 'Text: {{text}}\nAudience: {{audience}}\nNotes for {{who}}: {{notes}}\nEnd.';
    expect(fill(source, { text: 'T' })).toBe('Text: T\nEnd.');
    expect(fill('Rules:\n{{rules}}\nText:\n{{text}}', { text: 'T' })).toBe('Text:\nT');
    expect(fill('Go on.\n{{rules}}\nText: x')).toBe('Go on.\nText: x');
    expect(fill(source, { text: 'T', who: 'me' })).toBe('Text: T\nNotes for me: \nEnd.');
  });

  test('treats a value with braces as text', () => {
    expect(fill('{{a}} {{b}}', { a: '{{b}}', b: '$& {{a}}' })).toBe('{{b}} $& {{a}}');
  });

  test('treats names of Object properties like any other name', () => {
    expect(fill('{{constructor}}{{toString}}|', {})).toBe('|');
    expect(fill('{{__proto__}}', JSON.parse('{"__proto__":"x"}'))).toBe('x');
  });

  test('shows the labels of empty variables in the preview', () => {
    expect(fillParts(parsePrompt('For {{your_name}}: {{x}}'), { x: 'y' }, true)).toEqual([
      { text: 'For ', name: null, filled: true },
      { text: 'Your name', name: 'your_name', filled: false },
      { text: ': ', name: null, filled: true },
      { text: 'y', name: 'x', filled: true },
    ]);
  });

  test('inserts any value unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(fill('<{{v}}>', { v: value })).toBe(value.trim() === '' ? '<>' : `<${value}>`);
      }),
    );
  });
});

test('reports what is wrong with a value', () => {
  const problem = (source: string, value: string) => {
    const [variable] = variablesOf(parsePrompt(source));
    return variable && valueProblem(variable, value);
  };
  expect(problem('{{a}}', '')).toBeNull();
  expect(problem('{{a | text:required}}', ' ')).toBe('Fill this in.');
  expect(problem('{{a | select:options=["x"]}}', 'y')).toBe('Choose one of the options.');
  expect(problem('{{a | number:min=1:max=3}}', '0')).toBe('Enter 1 or more.');
  expect(problem('{{a | number:min=1:max=3}}', '4')).toBe('Enter 3 or less.');
  expect(problem('{{a | number}}', 'four')).toBe('Enter a number.');
  expect(problem('{{a | number}}', '1e3')).toBeNull();
});

test('turns variable names into labels', () => {
  expect(['your_name', 'x', 'größe-in-cm', '_'].map((name) => variableLabel({ name }))).toEqual([
    'Your name',
    'X',
    'Größe in cm',
    '_',
  ]);
});

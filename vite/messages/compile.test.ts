import { describe, expect, it } from 'vitest';
import { messageFormat } from '../../src/shared/message-format.ts';
import { richMessageFormat } from '../../src/shared/rich-message-format.ts';
import { compileMessage } from './compile.ts';

function run(text: string, locale: string, values?: Record<string, unknown>): unknown {
  const { code } = compileMessage(text, locale);
  return new Function('i', `return ${code}`)({ ...richMessageFormat, join: (...parts: string[]) => parts })(
    values,
  );
}

describe('a message', () => {
  it.each([
    ['Send', 'en', undefined, 'Send'],
    ["A `tick`, a \\ and $'{' by {name}", 'en', { name: 'Ada' }, 'A `tick`, a \\ and ${ by Ada'],
    ['{n, plural, =0 {none} one {# image} other {# images}}', 'en', { n: 0 }, 'none'],
    ['{n, plural, =0 {none} one {# image} other {# images}}', 'en', { n: 1 }, '1 image'],
    ['{n, plural, one {# image} other {# images}}', 'en', { n: 1200 }, '1,200 images'],
    ['{n, plural, one {# Bild} other {# Bilder}}', 'de', { n: 1200 }, '1.200 Bilder'],
    [
      '{n, plural, zero {لا} one {واحد} two {اثنان} few {# قليل} many {# كثير} other {#}}',
      'ar',
      { n: 2 },
      'اثنان',
    ],
    ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', 'en', { n: 22 }, '22nd'],
    ['{plan, select, monthly {every month} other {every year}}', 'en', { plan: 'monthly' }, 'every month'],
    ['{n, number} of {all, number, ::percent}', 'en', { n: 1234.5, all: 0.5 }, '1,234.5 of 50%'],
    ['On {when, date, ::yMMMd}', 'de', { when: new Date(2026, 10, 22) }, 'On 22. Nov. 2026'],
    ["It''s {who}''s", 'en', { who: 'Ada' }, "It's Ada's"],
  ])('%s in %s', (text, locale, values, expected) => {
    expect(run(text, locale, values)).toBe(expected);
  });

  it('keeps elements in place', () => {
    expect(
      run('Read the <link>terms of {name}</link>.', 'en', {
        name: 'us',
        link: (text: string) => `[${text}]`,
      }),
    ).toEqual(['Read the ', '[terms of us]', '.']);
  });

  it.each([
    ['{n, plural, one {#}}', 'MISSING_OTHER'],
    ['{n} and {n, date, short}', 'skeleton'],
    ['{n, plural, other {#}} {n, select, a {x} other {y}}', 'used both'],
    ['Hello {name', 'EXPECT'],
  ])('rejects %s', (text, problem) => {
    expect(() => compileMessage(text, 'en')).toThrow(problem);
  });

  it('returns its placeholders', () => {
    expect(
      compileMessage('{n, plural, one {#} other {#}} {plan, select, a {x} other {y}} <b>z</b>', 'en')
        .placeholders,
    ).toEqual({
      n: 'number',
      plan: ['a', 'other'],
      b: 'tag',
    });
    expect(messageFormat.number('en', 1)).toBe('1');
  });
});

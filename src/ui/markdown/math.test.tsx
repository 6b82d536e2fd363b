import { threadCpuUsage } from 'node:process';
import fc from 'fast-check';
import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { lex } from './bounded-lexer.ts';
import hostile from './hostile-math.fixture.json' with { type: 'json' };
import { repairIncomplete } from './incomplete-markdown.ts';
import { formula } from './math-elements.ts';

interface Node {
  type: string;
  text?: string;
  display?: boolean;
  tokens?: Node[];
  items?: Node[];
  header?: Node[];
  rows?: Node[][];
}

/** Returns the formulas in a text, in order; display formulas in double brackets. */
function formulas(text: string): string[] {
  const found = (node: Node): string[] => {
    if (node.type === 'math') return [node.display ? `[[${node.text}]]` : (node.text ?? '')];
    return [node.tokens, node.items, node.header, node.rows?.flat()]
      .flatMap((nodes) => nodes ?? [])
      .flatMap(found);
  };
  return lex(text).blocks.flatMap((token) => found(token as Node));
}

const markup = (source: string, display = true) => {
  const parsed = formula(source, display);
  return parsed && renderToStaticMarkup(createElement(Fragment, null, parsed.element));
};

describe('recognizing formulas', () => {
  test.each([
    ['a $x^2$ b', ['x^2']],
    ['$$x$$', ['[[x]]']],
    ['so $$x$$.', ['[[x]]']],
    ['The sum\n$$\na\n=\n- b\n$$\nend', ['[[a\n=\n- b]]']],
    ['\\[a\n- b\\]', ['[[a\n- b]]']],
    ['\\(a_1*b*\\) and *\\(c\\)*', ['a_1*b*', 'c']],
    ['*a $x*y$ b*', ['x*y']],
    ['- a\n  $$\n  x\n  $$\n- $y$', ['[[x]]', 'y']],
    ['| $a$ | b |\n|---|---|\n| c | $d$ |', ['a', 'd']],
    ['$x$-axis and $\\text{if any of these}$', ['x', '\\text{if any of these}']],
  ])('%j contains %j', (text, found) => expect(formulas(text)).toEqual(found));

  test.each([
    '$5 and $10',
    'costs $5 and earns 10$ now',
    '$1,000-$2,000',
    'US$5, CA$7',
    'a \\$x\\$ b',
    'run `$x` and `$y`',
    'set $PATH with `$` and',
    '$ x $',
    '$a\nb$',
    '$$\na\n\nb\n$$',
    '\\\\(x\\\\)',
    '\\[a link that is none\\]',
    '$$ a lot of money $$',
    '```\n$x$\n```',
    `$$${'x'.repeat(2001)}$$`,
    `$${'x'.repeat(501)}$`,
  ])('%j contains none', (text) => expect(formulas(text)).toEqual([]));
});

test.each([
  ['It is $x', 'It is '],
  ['It is $x$', 'It is '],
  ['It is $x$ ', 'It is $x$ '],
  ['It is $', 'It is '],
  ['It is $5 a', 'It is $5 a'],
  ['costs $20-$', 'costs '],
  ['set $PATH to some', 'set $PATH to some'],
  ['**so $x', '**so**'],
  ['a\n$$\nx\n- y', 'a\n'],
  ['a\n$$\nx\n$$', 'a\n$$\nx\n$$'],
  ['a $$x', 'a '],
  ['- $$\n  x', ''],
  ['a \\[x', 'a '],
  ['a \\(x', 'a '],
  ['a \\(see the other', 'a \\(see the other'],
])('while streaming, %j is shown as %j', (text, shown) => expect(repairIncomplete(text)).toBe(shown));

const knownTags = /^(?:math|m[a-z]+|none)$/;
const knownAttributes =
  /^(?:display|displaystyle|scriptlevel|mathvariant|stretchy|fence|separator|form|largeop|movablelimits|symmetric|(?:min|max)size|[lr]space|linethickness|accent|accentunder|width|height|depth|voffset|notation|class|style)$/;

function expectHarmless(html: string) {
  for (const [, name, attributes] of html.matchAll(/<([a-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*\/?>/gi)) {
    expect(name).toMatch(knownTags);
    for (const [, attribute, value] of attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)) {
      expect(attribute).toMatch(knownAttributes);
      expect(value).not.toMatch(/url|:\/\/|javascript|expression|&lt;/i);
    }
  }
  expect(html.replace(/<\/?[a-z]+(?:\s+[\w:-]+="[^"]*")*\s*\/?>/gi, '')).not.toContain('<');
}

describe('a hostile formula', () => {
  test.each(Object.entries(hostile))('%s is harmless', (_name, source) => {
    for (const display of [true, false]) {
      const startUsage = threadCpuUsage();
      const html = markup(source, display);
      const { user, system } = threadCpuUsage(startUsage);
      expect((user + system) / 1000).toBeLessThan(300);
      if (html) expectHarmless(html);
    }
  });

  test.each([
    'href',
    'url',
    'image',
    'class',
    'style',
    'id',
    'data',
    'unicode',
    'recursion',
    'doubling',
  ] as const)('%s is rejected', (name) => expect(formula(hostile[name], true)).toBeNull());

  test('definitions in one do not affect another', () => {
    expect(formula(hostile.redefinition, true)).not.toBeNull();
    expect(markup('\\frac{1}{2}')).toContain('<mfrac>');
  });

  test('any text is harmless', () => {
    const pieces = fc.constantFrom(
      ...'\\href{|\\url{|\\class{|\\style{|\\htmlId{|\\text{|\\def\\a{|\\a|}|{|^|_|&|\\\\|\\color{|\\hspace{|<img src=x>|javascript:|https://evil.example|\\begin{matrix}|\\end{matrix}|\\label{|\\ref{|"|\''.split(
        '|',
      ),
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 16 });
    fc.assert(
      fc.property(text, (parts) => {
        const html = markup(parts.join(''));
        if (html) expectHarmless(html);
      }),
      { numRuns: 300 },
    );
  });
});

test('formulas become MathML', () => {
  expect(markup('\\frac{a}{b}')).toMatch(
    /^<math display="block" class="tml-display"><mfrac><mi>a<\/mi><mi>b<\/mi>/,
  );
  expect(markup('x', false)).toBe('<math><mi>x</mi></math>');
  expect(markup('\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}')).toMatch(
    /<mtable><mtr><mtd style="padding-left:0em/,
  );
  expect(formula('\\frac{', true)).toBeNull();
});

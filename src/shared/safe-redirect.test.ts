import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeRedirectPath } from './safe-redirect.ts';

const foreignPaths = [
  'https://evil.test',
  '//evil.test',
  '/\\evil.test',
  '/%5cevil.test',
  '/%5Cevil.test',
  '/%2f%2fevil.test',
  '/..//evil.test',
  '/\t/evil.test',
  '/%09/evil.test',
  '\\\\evil.test',
  'https:evil.test',
  'https:/evil.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://localhost:3000@evil.test',
  'http://localhost:3000.evil.test',
  '@evil.test',
  '.evil.test',
  ' //evil.test',
  '/\n/evil.test',
  '/a/../..//evil.test',
  '/%2e%2e//evil.test',
  '///evil.test',
  '',
  `/${'a'.repeat(2000)}`,
];

describe('safeRedirectPath', () => {
  test.each(foreignPaths)('refuses %j', (text) => expect(safeRedirectPath(text)).toBeNull());
  test.each([null, undefined, 7, ['/chat'], { toString: () => '/chat' }])('refuses %j', (value) =>
    expect(safeRedirectPath(value)).toBeNull(),
  );

  test.each([
    ['/', '/'],
    ['/chat', '/chat'],
    ['/chat/new?q=a%2Fb&next=https://x.test#end', '/chat/new?q=a%2Fb&next=https://x.test#end'],
    ['/über', '/%C3%BCber'],
    ['/blog/50-gpt-5-prompts', '/blog/50-gpt-5-prompts'],
  ])('keeps %j', (text, path) => expect(safeRedirectPath(text)).toBe(path));

  test('every accepted path stays on the site', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '%2f',
      '%5c',
      '\t',
      '@',
      ':',
      'evil.test',
      '?',
      '#',
      'a',
      'https',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (list) => {
        const path = safeRedirectPath(list.join(''));
        if (path !== null) expect(new URL(path, 'https://site.test').origin).toBe('https://site.test');
      }),
      { numRuns: 2000 },
    );
  });
});

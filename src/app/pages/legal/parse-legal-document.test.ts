import { describe, expect, test } from 'vitest';
import { readLegalDocument } from './parse-legal-document.server.ts';

const head = '---\ntitle: T\ndescription: About {{name}}.\neffective: 2024-01-01\nupdated: 2026-11-21\n---\n';
const htmlOf = (source: string, facts: Record<string, string> = {}) =>
  readLegalDocument(head + source, { name: 'N', ...facts })
    .parts.map((part) => ('html' in part ? part.html : `[${part.slot}]`))
    .join('');

describe('a legal text', () => {
  test('gives headings an ID, lists them, and keeps slots for the page', () => {
    const parsed = readLegalDocument(`${head}One\n\n## What we *do*\n\nTwo\n\n{{slot:here}}\n\nThree`, {
      name: 'N',
    });
    expect(parsed).toMatchObject({ title: 'T', description: 'About N.', effective: '2024-01-01' });
    expect(parsed.contents).toEqual([{ id: 'what-we-do', text: 'What we do' }]);
    expect(parsed.parts).toEqual([
      { html: '<p>One</p>\n<h2 id="what-we-do">What we <em>do</em></h2>\n<p>Two</p>\n' },
      { slot: 'here' },
      { html: '<p>Three</p>\n' },
    ]);
  });

  test.each([
    '<script>alert(1)</script>',
    '</script><!--',
    '[x](javascript:alert(1))',
    '![x](//evil.test/x.png)',
    '"><img src=x onerror=alert(1)>',
    '**bold** `code` # | &lt;',
  ])('shows a fact as plain text: %s', (fact) => {
    for (const source of ['{{fact}}', '## {{fact}}', '- {{fact}}', '| {{fact}} |\n|---|\n| {{fact}} |']) {
      const html = htmlOf(source, { fact });
      expect(html).not.toMatch(/<(script|img|a|strong|code|!--)/i);
      const text = html.replace(/<[^>]*>/g, '').replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => {
        return { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }[name] ?? '';
      });
      expect(text).toContain(fact);
    }
  });

  test('puts a fact on one line, so that it starts no heading', () => {
    expect(htmlOf('{{fact}}', { fact: 'a\n\n# b\u2028- c' })).toBe('<p>a # b - c</p>\n');
  });

  test('keeps a fact inside the address of a link', () => {
    const html = htmlOf('[write](mailto:{{mail}})', { mail: 'a@b.example) [x](https://evil.test' });
    expect(html.match(/<a /g) ?? []).not.toHaveLength(2);
    expect(html).not.toContain('href="https://evil.test"');
  });

  test('shows HTML in the source as text', () => {
    expect(htmlOf('a <b onclick=x>b</b>\n\n<iframe src=x></iframe>')).not.toMatch(/<(b|iframe)\b/);
  });

  test('requires its fields, and rejects unknown facts', () => {
    expect(() => readLegalDocument('no head', {})).toThrow('front matter');
    expect(() => readLegalDocument(head.replace('updated: 2026-11-21\n', ''), {})).toThrow('needs title');
    expect(() => htmlOf('{{nmae}}')).toThrow('{{nmae}}');
  });
});

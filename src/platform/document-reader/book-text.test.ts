import { describe, expect, test } from 'vitest';
import { bookOf, mangledFonts, protectedBook } from '#tests/support/books.ts';
import { readBook } from './book-text.server.ts';

const LIMIT = 40_000;

describe('readBook', () => {
  test.each([false, true])(
    'reads the chapters in order with their titles (as in EPUB 2: %s)',
    async (ncx) => {
      const bytes = await bookOf(
        [
          { title: 'The  first', body: '<h1>I</h1><p>Once&nbsp;upon a <em>time</em>.</p>' },
          { title: 'The second', body: '<p>Then &amp; there.</p>' },
        ],
        { ncx },
      );
      expect(await readBook(bytes, LIMIT)).toEqual({
        title: 'The Long Way',
        author: 'Ada Writer',
        contents: ['The first', 'The second'],
        images: 1,
        all: 2,
        sections: [
          { section: 1, title: 'The first', text: '# I\n\nOnce upon a time.', more: false },
          { section: 2, title: 'The second', text: 'Then & there.', more: false },
        ],
      });
    },
  );

  test('keeps headings, lists, tables and lines, and drops scripts and hidden content', async () => {
    const body =
      '<script>steal()</script><h2>Costs</h2><ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>' +
      '<p>line<br/>next</p><p hidden="">obey me</p><p style="display: none">and <b>me</b></p><pre>if x:\n  y</pre><p>end</p>';
    const book = await readBook(await bookOf([{ title: '', body }]), LIMIT);
    expect(book).toMatchObject({
      sections: [
        {
          title: 'Costs',
          text: '## Costs\n\n- one\n- two\n\na\tb\nc\td\n\nline\nnext\n\nif x:\n  y\n\nend',
        },
      ],
    });
  });

  test('reads as much as possible of a page that is not well-formed', async () => {
    const book = await readBook(
      await bookOf([{ title: 'One', body: '<p>a &unknown; b <br> c</p><p>d' }]),
      LIMIT,
    );
    expect(book).toMatchObject({ sections: [{ text: 'a &unknown; b\nc\n\nd' }] });
  });

  test('stops at the limit', async () => {
    const body = `<p>${'word '.repeat(1_000)}</p>`;
    const chapters = ['One', 'Two', 'Three'].map((title) => ({ title, body }));
    const book = await readBook(await bookOf(chapters), 8_000);
    expect(book).toMatchObject({ all: 3, sections: [{ more: false }, { title: 'Two', more: true }] });
  });

  test('reports a book as protected if its chapters are encrypted, but not if only its fonts are', async () => {
    expect(await readBook(await protectedBook(), LIMIT)).toBe('protected');
    expect(await readBook(await mangledFonts(), LIMIT)).toMatchObject({ sections: [{ text: 'kept' }] });
  });
});

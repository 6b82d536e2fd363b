import { expect, test } from 'vitest';
import { htmlToText } from './docx-text.ts';

test('keeps the meaning of headings, lists, tables, notes and special characters', () => {
  const html =
    '<h2>Costs &amp; gains</h2><p>1 &lt; 2, <strong>bold</strong> &quot;so&quot;<sup><a href="#n1">[1]</a></sup></p>' +
    '<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>' +
    '<table><tr><td><p>Name</p></td><td><p>Sum</p></td></tr><tr><td><p>a</p><p>b</p></td><td></td></tr></table>' +
    '<p>line<br />next &amp;lt;</p>';
  expect(htmlToText(html)).toBe(
    '## Costs & gains\n\n1 < 2, bold "so"[1]\n\n- one\n- deep\n\n- two\n\nName\tSum\na b\t\n\nline\nnext &lt;',
  );
});
